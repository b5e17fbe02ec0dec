/** Reports whether the rules in use are those of the files. */
import { type Clock, SECOND, systemClock } from "spillway/core";
import { alone, counter, gauge, type Series } from "./series.ts";

export class RuleLoads {
  readonly #clock: Clock;
  #good = 0;
  #bad = 0;
  #isGood = true;
  #limits = 0;
  #goodAt = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Records that rules with this many limits came into use. */
  used(limits: number): void {
    this.#isGood = true;
    this.#limits = limits;
    this.#good++;
    this.#goodAt = this.#clock() / SECOND;
  }

  /** Records that rules were refused. */
  refused(): void {
    this.#isGood = false;
    this.#bad++;
  }

  get series(): readonly Series[] {
    const loads = () => [
      { labels: { result: "good" }, value: this.#good },
      { labels: { result: "bad" }, value: this.#bad },
    ];
    return [
      counter("spillway_rule_loads_total", loads),
      gauge(
        "spillway_rules_current",
        alone(() => (this.#isGood ? 1 : 0)),
      ),
      gauge(
        "spillway_rules_loaded_timestamp_seconds",
        alone(() => this.#goodAt),
      ),
      gauge(
        "spillway_limits",
        alone(() => this.#limits),
      ),
    ];
  }
}
