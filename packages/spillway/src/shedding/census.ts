import { hash } from "../algorithms/index.ts";
import type { Random } from "../core/index.ts";
import { PRIORITIES, type Priority } from "./priority.ts";

/** Cohorts in one priority. */
const COHORTS = 128;
/** Levels in all: the lower, the more it matters. */
const LEVELS = PRIORITIES.length * COHORTS;
/** Milliseconds after which users change their cohorts, so that nobody is unlucky for long. */
const ROTATION = 3_600_000;
/** How much the last window counts beside those before. */
const WEIGHT = 0.3;

/** Levels before this are not to be refused. */
export type Span = { readonly from: Priority };

/**
 * What is asked at which level: a priority, and in it one of 128 cohorts of users.
 *
 * Where a share of the load has to go, the levels are counted from the top until there is as much as
 * may stay; what is below goes. So the least important goes first, and in a priority of which only a
 * part can stay a user is either in or out (DAGOR: Zhou et al. 2018, Overload Control for Scaling
 * WeChat Microservices, section 4).
 */
export class Census {
  readonly #random: Random;
  #seen = new Float64Array(LEVELS);
  readonly #usual = new Float64Array(LEVELS);
  #windows = 0;
  #cut = LEVELS;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The level of some work: its priority's, and its cohort's in it, if it has one. */
  levelOf(priority: Priority, cohort: string | undefined, now: number): number {
    const place =
      cohort === undefined
        ? Math.min(COHORTS - 1, Math.floor(this.#random() * COHORTS))
        : hash(`${Math.floor(now / ROTATION)}/${cohort}`) % COHORTS;
    return PRIORITIES.indexOf(priority) * COHORTS + place;
  }

  /** Counts what is asked. */
  add(level: number): void {
    this.#seen[level] = (this.#seen[level] as number) + 1;
  }

  /** Ends a window. */
  roll(): void {
    const weight = this.#windows++ === 0 ? 1 : WEIGHT;
    for (let level = 0; level < LEVELS; level++) {
      const usual = this.#usual[level] as number;
      this.#usual[level] = usual + weight * ((this.#seen[level] as number) - usual);
    }
    this.#seen = new Float64Array(LEVELS);
  }

  /** The priority of which only a part stays, or none; undefined while all work stays. */
  get border(): Priority | undefined {
    return PRIORITIES[Math.floor(this.#cut / COHORTS)];
  }

  /** Lets a share of the load stay, from 0 to 1: of all of it, or of what comes after a priority. */
  keep(share: number, { from }: Span = { from: "critical" }): void {
    const first = PRIORITIES.indexOf(from) * COHORTS;
    this.#cut = share >= 1 ? LEVELS : this.#levelWith(share, first);
  }

  /** Whether work of a level stays; at the border chance decides, as far as the share needs it. */
  keeps(level: number): boolean {
    const border = Math.floor(this.#cut);
    if (level !== border) return level < border;
    return this.#random() < this.#cut - border;
  }

  /** The level up to which there is a share of the load, with the part of that level that stays. */
  #levelWith(share: number, first: number): number {
    const load = this.#usual.subarray(first);
    let left = share * load.reduce((sum, each) => sum + each, 0);
    for (let level = 0; level < load.length; level++) {
      const each = load[level] as number;
      if (each > 0 && each >= left) return first + level + left / each;
      left -= each;
    }
    return LEVELS;
  }
}
