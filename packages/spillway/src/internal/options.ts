/** Tables of options. Each option has a name, a default, and a check. */
import {
  type Clock,
  checkedClock,
  HOUR,
  type Random,
  type Scheduler,
  systemClock,
  type Warn,
} from "../limits/core/index.ts";
import {
  checkBetween,
  checkFlag,
  checkFunction,
  checkMethod,
  checkOptions,
  checkWhole,
  requireFunction,
} from "./check-options.ts";
import { warningsTo } from "./notify.ts";
import { checkedRandom } from "./random.ts";
import { systemScheduler } from "./system-scheduler.ts";

/** Reads one option, which may be missing. @throws SpillwayError if the value is invalid */
export type Option<V> = (value: unknown, field: string) => V;

/** Options by name, in the order in which messages list them. */
export type OptionTable<O = { readonly [field: string]: unknown }> = {
  readonly [F in keyof O]-?: Option<unknown>;
};

/** The values that a table reads. */
export type OptionsOf<T extends OptionTable> = {
  readonly [F in keyof T]: T[F] extends Option<infer V> ? V : never;
};

type OptionOwner = {
  /** The thing that the options create, for messages. */
  readonly of: string;
  /** A prefix for the names of fields in messages, such as `breaker.`. */
  readonly within?: string;
  /** A hint for each name that the table lacks and that belongs elsewhere. */
  readonly elsewhere?: ReadonlyMap<string, string>;
};

/**
 * Reads options by their table. Pure, except that a clock is called once.
 *
 * @throws SpillwayError `bad-option` if the value can't be options; `unknown-field`; any error that
 * an option throws.
 */
export function readOptions<T extends OptionTable>(
  { of, within = "", elsewhere }: OptionOwner,
  options: object,
  table: T,
): OptionsOf<T> {
  checkOptions(of, options, Object.keys(table), elsewhere);
  const anyOption = options as { readonly [field: string]: unknown };
  const read = Object.entries(table).map(([field, option]) => [
    field,
    option(anyOption[field], within + field),
  ]);
  return Object.fromEntries(read);
}

/** Options within an option, which may be missing as a whole. */
export function group<T extends OptionTable>(table: T): Option<OptionsOf<T>> {
  return (value = {}, field) =>
    readOptions({ of: field, within: `${field}.` }, value as object, table);
}

/** A whole number, at least 1 by default. Required if there is no `otherwise`. */
export function whole(bounds: {
  readonly least?: number;
  readonly most: number;
  readonly otherwise?: number;
}): Option<number> {
  return (value = bounds.otherwise, field) => {
    checkWhole(field, value, bounds);
    return value;
  };
}

/** A number within bounds. */
export function between(bounds: {
  readonly least: number;
  readonly most: number;
  readonly otherwise: number;
}): Option<number> {
  return (value = bounds.otherwise, field) => {
    checkBetween(field, value, bounds);
    return value as number;
  };
}

/** True or false. */
export function flag(otherwise = false): Option<boolean> {
  return (value = otherwise, field) => {
    checkFlag(field, value);
    return value;
  };
}

/** A function; undefined if missing. */
export function callable<F>(expected?: string): Option<F | undefined> {
  return (value, field) => {
    checkFunction(field, value, expected);
    return value as F | undefined;
  };
}

/** A function. If it is missing, `otherwise` supplies or refuses it. */
export function needed<F>(otherwise: () => F): Option<F> {
  return (value = otherwise(), field) => {
    requireFunction(field, value);
    return value as F;
  };
}

/** An object of other code that has a method. */
export function having<T>(needs: {
  readonly method: keyof T & string;
  readonly expected: string;
}): Option<T> {
  return (value, field) => {
    checkMethod(field, value, needs);
    return value as T;
  };
}

/** Any value; other code checks it. */
export function given<V>(otherwise?: V): Option<V> {
  return (value = otherwise) => value as V;
}

/** How long to wait for a program's own function, in milliseconds. */
export const timeout = /* @__PURE__ */ whole({ most: HOUR, otherwise: 1000 });

/** Gives the time. Default: the machine's clock. */
export const clock: Option<Clock> = (value = systemClock) => checkedClock(value as Clock);

/** Timers, and a clock that never steps. Default: those of the runtime. */
export const scheduler: Option<Scheduler> = /* @__PURE__ */ given(systemScheduler);

/** The source of random numbers. Default: that of the runtime. */
export const random: Option<Random> = (value) => checkedRandom(value as Random | undefined);

/** Receives warnings. Default: the console. */
export const warn: Option<Warn> = (value, field) => {
  checkFunction(field, value, "a function that takes a message");
  return warningsTo(value as Warn | undefined);
};
