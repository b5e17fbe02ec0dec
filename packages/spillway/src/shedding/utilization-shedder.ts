import type { Priority } from "../internal/index.ts";
import type { Clock, Random, Scheduler } from "../limits/core/index.ts";
import type { AdmissionTally } from "./admission-tally.ts";
import { Cohorts, firstLevelOf, LEVELS } from "./cohorts.ts";
import { Integrator, type IntegratorSettings } from "./estimators/integrator.ts";
import { LevelCut } from "./estimators/level-cut.ts";
import { LevelLoad } from "./estimators/level-load.ts";
import type { Admission, Shedder, ShedderStats, Work } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { knownWork } from "./work.ts";

/** The checked settings of a utilization shedder. All times are milliseconds. */
export type UtilizationSettings = IntegratorSettings & {
  readonly name: string;
  readonly tally: AdmissionTally;
  /** Never throws. */
  readonly signal: Signal;
  /** How often the signal is read. */
  readonly window: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  /** The secret of the cohort hash. If undefined, anyone can compute a cohort. */
  readonly secret: string | undefined;
};

/** The most important priority that can be refused, with all below it. */
const FROM: Priority = "normal";

/** Nothing bounds the work in flight. */
const UNBOUNDED = { capacity: Number.POSITIVE_INFINITY, remaining: Number.POSITIVE_INFINITY };

/** Refuses a share of the work that grows and shrinks slowly; see `utilizationShedder`. */
export class UtilizationShedder implements Shedder<Admission> {
  readonly name: string;
  readonly #settings: UtilizationSettings;
  readonly #cohorts: Cohorts;
  readonly #load = new LevelLoad(LEVELS);
  readonly #cut: LevelCut;
  readonly #integrator: Integrator;
  #read: number;
  #inFlight = 0;

  constructor(settings: UtilizationSettings) {
    this.name = settings.name;
    this.#settings = settings;
    this.#cohorts = new Cohorts(settings);
    const { random } = settings;
    this.#cut = new LevelCut({ load: this.#load, from: firstLevelOf(FROM), random });
    this.#integrator = new Integrator(settings);
    this.#read = settings.scheduler.elapsed();
    this.#integrator.update(undefined, this.#read);
  }

  admit(work: Work = {}): Admission {
    const { tally } = this.#settings;
    const { priority, cohort, exempt } = knownWork(work, tally);
    if (exempt) return tally.exempt(priority, UNBOUNDED.capacity);
    this.#measure();
    const level = this.#cohorts.levelOf({ priority, cohort });
    this.#load.add(level);
    if (!this.#cut.admits(level)) {
      const numbers = { ...UNBOUNDED, retryAfter: this.#retryAfter() };
      return tally.refuse(priority, numbers, { cause: "share" });
    }
    this.#inFlight++;
    return tally.admit(priority, { ...UNBOUNDED, retryAfter: 0 }, () => {
      this.#inFlight--;
    });
  }

  stats(): ShedderStats {
    const { admitted, shed } = this.#settings.tally;
    return {
      admitted,
      shed,
      inFlight: this.#inFlight,
      held: 0,
      waiting: 0,
      capacity: UNBOUNDED.capacity,
      share: 1 - this.#integrator.amount,
    };
  }

  /** Returns 1 to 2 windows, at random, so that callers do not all retry at once. */
  #retryAfter(): number {
    return Math.ceil(this.#settings.window * (1 + this.#settings.random()));
  }

  /**
   * Reads the signal if that is due. Called for each piece of work: a timer would be late when the
   * loop is busy.
   */
  #measure(): void {
    const { scheduler, window, signal, tally } = this.#settings;
    const now = scheduler.elapsed();
    if (now - this.#read < window) return;
    this.#read = now;
    this.#integrator.update(signal(), now);
    this.#load.roll();
    this.#cut.cutTo(1 - this.#integrator.amount);
    tally.overloaded(this.#integrator.amount > 0);
  }
}
