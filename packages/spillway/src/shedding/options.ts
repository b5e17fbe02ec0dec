/** The options that all shedders have, and their checks. */
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
  /**
   * The shedder's name in decisions, events and statistics. Default: its kind, such as
   * `"adaptive"`.
   */
  readonly name?: string;
  /** Decides and counts but enforces nothing, to try a shedder out. Default: false. */
  readonly shadow?: boolean;
  /**
   * Receives refusals, the start and end of overloads, failures of signals and caps, and invalid
   * values.
   */
  readonly onEvent?: OnShedderEvent;
  /** Returns random numbers, which decide at the border of what is admitted and spread retries. */
  readonly random?: Random;
  /** Returns the time. Users change their cohorts each hour. */
  readonly clock?: Clock;
  /** Timers and a steady clock, for simulations. */
  readonly scheduler?: Scheduler;
};

/** Options of shedders that admit or refuse all work of a user alike. */
export type CohortOptions = ShedderOptions & {
  /**
   * A secret that determines, with the hour, which names share a cohort. At least 16 characters,
   * hard to guess, the same in all processes. Default: none; then anyone can compute the cohort of
   * a name, and choose a name that is admitted.
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
