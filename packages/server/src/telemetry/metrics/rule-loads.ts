/** Whether the rules in use are those of the files. */
import { type Clock, SECOND, systemClock } from "spillway/core";
import { type Series, single } from "./series.ts";

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

  /** So many limits are in use now. */
  used(limits: number): void {
    this.#isGood = true;
    this.#limits = limits;
    this.#good++;
    this.#goodAt = this.#clock() / SECOND;
  }

  /** Rules were read that can't be used. */
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
      {
        type: "counter",
        name: "spillway_rule_loads_total",
        help: "Times that rule files were read: bad ones change nothing",
        read: loads,
      },
      single(
        "gauge",
        { name: "spillway_rules_current", help: "0 while the files are wrong and old rules hold" },
        () => (this.#isGood ? 1 : 0),
      ),
      single(
        "gauge",
        {
          name: "spillway_rules_loaded_timestamp_seconds",
          help: "When the rules in use were read",
        },
        () => this.#goodAt,
      ),
      single(
        "gauge",
        { name: "spillway_limits", help: "Limits of the rules in use" },
        () => this.#limits,
      ),
    ];
  }
}
