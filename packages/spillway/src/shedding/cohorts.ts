import { PRIORITIES, type Priority } from "../internal/index.ts";
import { type Clock, HOUR, type Random } from "../limits/core/index.ts";
import type { AdmissionTally } from "./admission-tally.ts";
import { type CohortHash, cohortHash } from "./cohort-hash.ts";
import { Failures } from "./signals/failures.ts";
import { readingOf } from "./signals/reading.ts";

/** The number of cohorts in a priority. */
const COHORTS = 128;
/**
 * How long users keep their cohorts, in milliseconds. They change, so that no user is refused for
 * long.
 */
const ROTATION = HOUR;

/** The length up to which the names of cohorts are compared, in UTF-16 code units. */
const LONGEST_NAME = 256;

/** The number of levels of all priorities. A lower level matters more. */
export const LEVELS = PRIORITIES.length * COHORTS;

/** The settings of cohorts. */
export type CohortSettings = {
  readonly random: Random;
  readonly clock: Clock;
  readonly tally: Pick<AdmissionTally, "signalFailed">;
  /** The secret of the cohort hash. If undefined, anyone can compute a cohort. */
  readonly secret?: string | undefined;
};

/** The priority and the cohort of work, which determine its level. */
export type LevelInput = { readonly priority: Priority; readonly cohort?: string | undefined };

/**
 * Finds the level of work: each priority has 128 levels, one for each cohort of users.
 *
 * So if only a part of a priority can be admitted, a user is admitted or refused as a whole (DAGOR:
 * Zhou et al. 2018, Overload Control for Scaling WeChat Microservices, section 4). Work without a
 * cohort gets a random one.
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

  /** Returns the level of work: a whole number from 0 to `LEVELS - 1`. */
  levelOf({ priority, cohort }: LevelInput): number {
    const place =
      cohort === undefined
        ? Math.min(COHORTS - 1, Math.floor(this.#random() * COHORTS))
        : this.#hash(this.#rotation(), cohort.slice(0, LONGEST_NAME)) % COHORTS;
    return firstLevelOf(priority) + place;
  }

  /** Returns the number of whole hours since 1970; 0 while the clock fails. */
  #rotation(): number {
    const reading = readingOf(this.#clock);
    if (reading.ok) return Math.floor((reading.value ?? 0) / ROTATION);
    this.#failures.report(reading);
    return 0;
  }
}

/** Returns the first level of a priority. Pure. */
export function firstLevelOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority) * COHORTS;
}

/** Returns the priority of a level; undefined after the last level. Pure. */
export function priorityAt(level: number): Priority | undefined {
  return PRIORITIES[Math.floor(level / COHORTS)];
}
