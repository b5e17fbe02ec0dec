import { PRIORITIES, type Priority } from "../internal/index.ts";
import { type Clock, HOUR, type Random } from "../limits/core/index.ts";
import type { AdmissionTally } from "./admission-tally.ts";
import { type CohortHash, cohortHash } from "./cohort-hash.ts";
import { Failures } from "./signals/failures.ts";
import { readingOf } from "./signals/reading.ts";

/** Cohorts in one priority. */
const COHORTS = 128;
/** Milliseconds after which users change their cohorts, so that nobody is unlucky for long. */
const ROTATION = HOUR;

/** How much of a cohort's name distinguishes it from others, in UTF-16 units. */
const LONGEST_NAME = 256;

/** Levels in all: the lower, the more it matters. */
export const LEVELS = PRIORITIES.length * COHORTS;

/** What cohorts are drawn with. */
export type CohortSettings = {
  readonly random: Random;
  readonly clock: Clock;
  readonly tally: Pick<AdmissionTally, "signalFailed">;
  /** For cohorts that nobody else can compute. */
  readonly secret?: string | undefined;
};

/** What decides at which level work is. */
export type LevelInput = { readonly priority: Priority; readonly cohort?: string | undefined };

/**
 * At which level work is: that of its priority, and in it of one of 128 cohorts of users.
 *
 * So a user is in or out as a whole where only a part of a priority can stay (DAGOR: Zhou et al.
 * 2018, Overload Control for Scaling WeChat Microservices, section 4). Work without a cohort gets
 * any.
 */
export class Cohorts {
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #failures: Failures;
  readonly #hash: CohortHash;

  constructor({ random, clock, tally, secret }: CohortSettings) {
    this.#random = random;
    this.#clock = clock;
    this.#hash = cohortHash(secret);
    this.#failures = new Failures((error) => tally.signalFailed(error));
  }

  /** A whole number from 0 to `LEVELS - 1`. */
  levelOf({ priority, cohort }: LevelInput): number {
    const place =
      cohort === undefined
        ? Math.min(COHORTS - 1, Math.floor(this.#random() * COHORTS))
        : this.#hash(this.#rotation(), cohort.slice(0, LONGEST_NAME)) % COHORTS;
    return firstLevelOf(priority) + place;
  }

  /** Which hour it is; 0 while the clock fails. */
  #rotation(): number {
    const reading = readingOf(this.#clock);
    if (reading.ok) return Math.floor((reading.value ?? 0) / ROTATION);
    this.#failures.report(reading);
    return 0;
  }
}

/** The first of a priority's levels. Pure. */
export function firstLevelOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority) * COHORTS;
}

/** The priority of a level; undefined after the last. Pure. */
export function priorityAt(level: number): Priority | undefined {
  return PRIORITIES[Math.floor(level / COHORTS)];
}
