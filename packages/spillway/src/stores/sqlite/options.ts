import {
  badOption,
  callable,
  clock,
  flag,
  given,
  type OptionTable,
  readOptions,
  warn,
  whole,
} from "../../internal/index.ts";
import { type Clock, MINUTE, SECOND, type Warn } from "../../limits/core/index.ts";
import type { OnEvent } from "../index.ts";
import { checkedTable } from "./table.ts";

/** Settings of a SQLite store. */
export type SqliteStoreOptions = {
  /**
   * The table for states, created if it is missing: 1 to 63 letters, digits and underscores.
   * Default: `"spillway"`. Stores on one table of one file share their budgets.
   */
  readonly table?: string;
  /**
   * How long to wait while others write, in milliseconds: 0 to 60 000. Default: 1000. The process
   * does nothing else meanwhile. Set on the connection, so it applies to everything done there.
   */
  readonly busyTimeout?: number;
  /**
   * `false` leaves the connection's settings unchanged: `journal_mode = wal`,
   * `synchronous = normal` and `busy_timeout` are not set. Default: true.
   */
  readonly pragmas?: boolean;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * How many processes share the limits: 1 to 10 000. Default: 1. If the database fails, a limit
   * with `whenUnavailable: "local"` admits that fraction of its units in each process.
   */
  readonly instances?: number;
  /** Receives failures, decisions made without the database, and units lent to this process. */
  readonly onEvent?: OnEvent;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
};

const TABLE = {
  table: checkedTable,
  busyTimeout: given<number | undefined>(),
  pragmas: flag(true),
  clock,
  instances: whole({ most: 10_000, otherwise: 1 }),
  onEvent: callable<OnEvent>(),
  warn,
} satisfies OptionTable<SqliteStoreOptions>;

/**
 * Returns the options, checked and with defaults. @throws SpillwayError `bad-option`, `bad-clock`,
 * `unknown-field`.
 */
export function checkedOptions(options: SqliteStoreOptions) {
  const { pragmas, busyTimeout, ...settings } = readOptions({ of: "sqliteStore" }, options, TABLE);
  return { ...settings, busyTimeout: checkedTimeout({ pragmas, busyTimeout }) };
}

/**
 * The default busy timeout, in milliseconds.
 *
 * Each writer takes a fraction of a millisecond, but its disk may need time to catch up. SQLite
 * polls for the lock in steps of up to 100 ms, and not in order of arrival.
 */
const USUAL_TIMEOUT = SECOND;

type TimeoutOptions = { readonly pragmas: boolean; readonly busyTimeout: number | undefined };

/** Returns undefined if the connection keeps its own settings. */
function checkedTimeout({ pragmas, busyTimeout }: TimeoutOptions): number | undefined {
  if (pragmas)
    return whole({ least: 0, most: MINUTE, otherwise: USUAL_TIMEOUT })(busyTimeout, "busyTimeout");
  if (busyTimeout === undefined) return undefined;
  const expected = "nothing: with `pragmas: false` the connection keeps its own";
  throw badOption("busyTimeout", busyTimeout, expected);
}
