import type { Clock, Later, Random } from "../core/index.ts";
import { Census } from "./census.ts";
import { Integrator, type IntegratorSettings } from "./estimators/integrator.ts";
import type { Priority } from "./priority.ts";
import type { Admission, Shedder, ShedderStats, Work } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { admission, type Tally } from "./tally.ts";
import { checkWork } from "./work.ts";

/** What a utilization shedder works with; all times are milliseconds. */
export type UtilizationSettings = IntegratorSettings & {
  readonly name: string;
  readonly tally: Tally;
  /** Cannot fail. */
  readonly signal: Signal;
  /** How often it is read. */
  readonly window: number;
  readonly later: Later;
  readonly clock: Clock;
  readonly random: Random;
};

/** Work of this priority and all below it can be refused. */
const FROM: Priority = "normal";

/** Refuses a share of the work that grows and shrinks slowly; see `utilizationShedder`. */
export class UtilizationShedder implements Shedder {
  readonly name: string;
  readonly #settings: UtilizationSettings;
  readonly #tally: Tally;
  readonly #census: Census;
  readonly #integrator: Integrator;
  #rolled: number;
  #inFlight = 0;

  constructor(settings: UtilizationSettings) {
    this.name = settings.name;
    this.#settings = settings;
    this.#tally = settings.tally;
    this.#census = new Census(settings.random);
    this.#integrator = new Integrator(settings);
    this.#rolled = settings.later.elapsed();
    this.#integrator.update(undefined, this.#rolled);
  }

  admit(work: Work = {}): Admission {
    checkWork(work);
    const { priority = "normal", cohort, exempt } = work;
    const numbers = { capacity: Number.POSITIVE_INFINITY, remaining: Number.POSITIVE_INFINITY };
    if (exempt) return this.#exempt(priority);
    this.#roll();
    const level = this.#census.levelOf(priority, cohort, this.#settings.clock());
    this.#census.add(level);
    if (!this.#census.keeps(level)) {
      return this.#tally.refuse(priority, { ...numbers, retryAfter: this.#retryAfter() }, "share");
    }
    this.#inFlight++;
    return this.#tally.admit(priority, { ...numbers, retryAfter: 0 }, () => {
      this.#inFlight--;
    });
  }

  stats(): ShedderStats {
    return {
      admitted: this.#tally.admitted,
      shed: this.#tally.shed,
      inFlight: this.#inFlight,
      waiting: 0,
      capacity: Number.POSITIVE_INFINITY,
      share: 1 - this.#integrator.amount,
    };
  }

  #exempt(priority: Priority): Admission {
    const bound = Number.POSITIVE_INFINITY;
    const yes = { ok: true, limit: this.name, capacity: bound, remaining: bound, retryAfter: 0 };
    const decision = { ...yes, resetAfter: 0, reason: undefined, degraded: undefined };
    return admission(decision, priority, () => {});
  }

  /** Some windows from now, at random, so that not all come back at once. */
  #retryAfter(): number {
    return Math.ceil(this.#settings.window * (1 + this.#settings.random()));
  }

  /** Reads the signal where that is due: when work asks, so that no timer starves with the loop. */
  #roll(): void {
    const { later, window, signal } = this.#settings;
    const now = later.elapsed();
    if (now - this.#rolled < window) return;
    this.#rolled = now;
    this.#integrator.update(signal(), now);
    this.#census.roll();
    this.#census.keep(1 - this.#integrator.amount, { from: FROM });
    this.#tally.overloaded(this.#integrator.amount > 0);
  }
}
