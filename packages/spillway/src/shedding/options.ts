/** What the options of shedders have in common, and whether they are right. */
import {
  type Clock,
  type Later,
  type Random,
  SpillwayError,
  systemClock,
  systemLater,
  systemRandom,
} from "../core/index.ts";
import type { OnShedderEvent } from "./events.ts";

/** What every shedder can be told. */
export type ShedderOptions = {
  /** What it is called in decisions, events and numbers. */
  readonly name?: string;
  /** Decides and counts, and enforces nothing: for trying it. False unless said. */
  readonly shadow?: boolean;
  /** Is told what it refuses, when it begins and ends to, and of signals that fail. */
  readonly onEvent?: OnShedderEvent;
  /** Decides at borders, spreads what comes back. */
  readonly random?: Random;
  /** Tells the hour, by which users change their cohorts. */
  readonly clock?: Clock;
  /** Waiting and a steady clock: for simulations. */
  readonly later?: Later;
};

/** The names of those options. */
export const SHEDDER_OPTIONS: readonly (keyof ShedderOptions)[] = [
  "name",
  "shadow",
  "onEvent",
  "random",
  "clock",
  "later",
];

/** The options that every shedder has, checked and whole. @throws SpillwayError `bad-option` */
export function commonOptions(options: ShedderOptions, defaultName: string) {
  const { name = defaultName, shadow = false, onEvent } = options;
  const { random = systemRandom, clock = systemClock, later = systemLater } = options;
  if (typeof name !== "string" || name === "") throw bad("name", name, "a text");
  if (typeof shadow !== "boolean") throw bad("shadow", shadow, "true or false");
  if (onEvent !== undefined) checkFunction("onEvent", onEvent);
  checkFunction("random", random);
  checkFunction("clock", clock);
  for (const method of ["elapsed", "afterDelay", "afterTurn"] as const) {
    checkFunction(`later.${method}`, later?.[method]);
  }
  return { name, shadow, onEvent, random, clock, later };
}

/** The least and the most that a number may be. */
export type Bounds = { readonly least: number; readonly most: number };

/** @throws SpillwayError `bad-option` */
export function checkBetween(field: string, value: unknown, { least, most }: Bounds): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  throw bad(field, value, `a number from ${least} to ${most}`);
}

/** @throws SpillwayError `bad-option` */
export function checkWhole(field: string, value: unknown, { least, most }: Bounds): void {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw bad(field, value, `a whole number from ${least} to ${most}`);
}

/** @throws SpillwayError `bad-option` */
export function checkFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw bad(field, value, "a function");
}

function bad(field: string, value: unknown, expected: string): SpillwayError {
  return new SpillwayError({ code: "bad-option", field, value, expected });
}
