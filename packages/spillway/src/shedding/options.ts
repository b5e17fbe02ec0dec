/** What the options of shedders have in common, and whether they are right. */
import {
  badOption,
  checkedRandom,
  checkFlag,
  checkFunction,
  requireFunction,
  systemScheduler,
} from "../internal/index.ts";
import { type Clock, type Random, type Scheduler, systemClock } from "../limits/core/index.ts";
import type { OnShedderEvent } from "./events.ts";

/** Options of every shedder. */
export type ShedderOptions = {
  /** What it is called in decisions, events and numbers. */
  readonly name?: string;
  /** Decides and counts, and enforces nothing: for trying it. Default: false. */
  readonly shadow?: boolean;
  /** Receives what it refuses, when that begins and ends, and signals and caps that fail. */
  readonly onEvent?: OnShedderEvent;
  /** Decides at borders, spreads what comes back. */
  readonly random?: Random;
  /** Returns the time: users change their cohorts each hour. */
  readonly clock?: Clock;
  /** Waiting and a steady clock: for simulations. */
  readonly scheduler?: Scheduler;
};

/** Options of shedders that keep or refuse all work of a user alike. */
export type CohortOptions = ShedderOptions & {
  /**
   * Decides, with the hour, which names share a cohort: at least 16 characters that nobody can guess, the same in
   * all processes. Default: none; then anybody can compute the cohort of a name, and choose a name that is admitted.
   */
  readonly secret?: string;
};

/** The names of those options. */
export const SHEDDER_OPTIONS: readonly (keyof ShedderOptions)[] = [
  "name",
  "shadow",
  "onEvent",
  "random",
  "clock",
  "scheduler",
];

/** The names of the options of shedders with cohorts. */
export const COHORT_OPTIONS: readonly (keyof CohortOptions)[] = [...SHEDDER_OPTIONS, "secret"];

/** The options that every shedder has, checked and whole. @throws SpillwayError `bad-option` */
export function commonOptions(options: ShedderOptions, defaultName: string) {
  const { name = defaultName, shadow = false, onEvent } = options;
  const { clock = systemClock, scheduler = systemScheduler } = options;
  if (typeof name !== "string" || name === "") {
    throw badOption("name", name, "a text");
  }
  checkFlag("shadow", shadow);
  checkFunction("onEvent", onEvent);
  const random = checkedRandom(options.random);
  requireFunction("clock", clock);
  for (const method of ["elapsed", "afterDelay", "alarm", "afterTurn"] as const) {
    requireFunction(`scheduler.${method}`, scheduler?.[method]);
  }
  return { name, shadow, onEvent, random, clock, scheduler };
}
