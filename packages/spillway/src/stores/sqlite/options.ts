import {
  type Clock,
  checkedClock,
  checkOptions,
  MINUTE,
  SECOND,
  SpillwayError,
  systemClock,
} from "../../core/index.ts";
import type { OnEvent } from "../../remote/index.ts";
import { checkTableName } from "./table.ts";

/** Settings of a SQLite store. */
export type SqliteStoreOptions = {
  /**
   * The table that states are kept in, made if there is none: 1 to 63 letters, digits and
   * underscores; `"spillway"` unless said. Stores on one table of one file share their budgets.
   */
  readonly table?: string;
  /**
   * How many milliseconds to wait while others write: 0 to a minute, 1000 unless said. Meanwhile this
   * process does nothing else. Set on the connection, so that it holds for all that is done there.
   */
  readonly busyTimeout?: number;
  /**
   * `false` leaves the connection's settings as they are: neither `journal_mode = wal` nor
   * `synchronous = normal` nor `busy_timeout` is set.
   */
  readonly pragmas?: boolean;
  /** Tells the time; the machine's clock unless said. */
  readonly clock?: Clock;
  /**
   * How many processes share the limits: 1 to 10 000; 1 unless said. Where the database fails, a
   * limit whose `whenUnavailable` is `"local"` counts a part of that size in each of them.
   */
  readonly instances?: number;
  /** Is told of failures, and of answers without the database. */
  readonly onEvent?: OnEvent;
};

/** The same, all said and checked. */
export type Settings = {
  readonly table: string;
  /** Undefined where the connection keeps its own settings. */
  readonly busyTimeout: number | undefined;
  readonly clock: Clock;
  readonly instances: number;
  readonly onEvent: OnEvent | undefined;
};

const OPTIONS = ["table", "busyTimeout", "pragmas", "clock", "instances", "onEvent"] as const;

/** @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`. */
export function checkSettings(options: SqliteStoreOptions): Settings {
  checkOptions("sqliteStore", options, OPTIONS);
  const { table = "spillway", clock = systemClock, instances = 1, onEvent } = options;
  checkTableName(table);
  checkNumber("instances", instances, { least: 1, most: 10_000 });
  if (onEvent !== undefined && typeof onEvent !== "function") {
    throw bad("onEvent", onEvent, "a function");
  }
  const busyTimeout = checkWait(options);
  return { table, busyTimeout, clock: checkedClock(clock), instances, onEvent };
}

/**
 * Others who write are done in a fraction of a millisecond each, but their disk may have to catch up,
 * and SQLite waits in steps of up to a tenth of a second, out of turn.
 */
const USUAL_WAIT = SECOND;

function checkWait({ pragmas = true, busyTimeout }: SqliteStoreOptions): number | undefined {
  if (typeof pragmas !== "boolean") throw bad("pragmas", pragmas, "true or false");
  if (pragmas) {
    checkNumber("busyTimeout", busyTimeout ?? USUAL_WAIT, { least: 0, most: MINUTE });
    return busyTimeout ?? USUAL_WAIT;
  }
  if (busyTimeout === undefined) return undefined;
  const expected = "nothing, for with `pragmas: false` the connection keeps its own";
  throw bad("busyTimeout", busyTimeout, expected);
}

type Range = { readonly least: number; readonly most: number };

function checkNumber(field: string, value: unknown, { least, most }: Range): void {
  const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  if (!fits) throw bad(field, value, `a whole number from ${least} to ${most}`);
}

function bad(field: string, value: unknown, expected: string): SpillwayError {
  return new SpillwayError({ code: "bad-option", field, value, expected });
}
