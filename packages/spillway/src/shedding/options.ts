/** What the options of shedders have in common, and whether they are right. */
import {
  badOption,
  callable,
  flag,
  needed,
  type OptionTable,
  random,
  requireFunction,
  systemScheduler,
} from "../internal/index.ts";
import { type Clock, type Random, type Scheduler, systemClock } from "../limits/core/index.ts";
import { checkedCohortSecret } from "./cohort-hash.ts";
import type { OnShedderEvent } from "./events.ts";

/** Options of every shedder. */
export type ShedderOptions = {
  /** What it is called in decisions, events and numbers. */
  readonly name?: string;
  /** Decides and counts but enforces nothing, to try limits out. Default: false. */
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
   * Decides, with the hour, which names share a cohort: at least 16 characters that nobody can
   * guess, the same in all processes. Default: none; then anybody can compute the cohort of a name,
   * and choose a name that is admitted.
   */
  readonly secret?: string;
};

/** The table of every shedder's options. */
export function shedderTable(name: string) {
  return {
    name: (value: unknown = name, field: string): string => {
      if (typeof value !== "string" || value === "") throw badOption(field, value, "a text");
      return value;
    },
    shadow: flag(),
    onEvent: callable<OnShedderEvent>(),
    random,
    clock: needed<Clock>(() => systemClock),
    scheduler: checkedScheduler,
  } satisfies OptionTable<ShedderOptions>;
}

/** The table of the options of shedders with cohorts. */
export function cohortTable(name: string) {
  return { ...shedderTable(name), secret: checkedCohortSecret };
}

function checkedScheduler(value: unknown = systemScheduler, field: string): Scheduler {
  for (const method of ["elapsed", "afterDelay", "alarm", "afterTurn"] as const) {
    requireFunction(`${field}.${method}`, (value as Partial<Scheduler> | null)?.[method]);
  }
  return value as Scheduler;
}
