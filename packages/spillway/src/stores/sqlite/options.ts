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
   * The table that states are kept in, made if there is none: 1 to 63 letters, digits and
   * underscores; `"spillway"` by default. Stores on one table of one file share their budgets.
   */
  readonly table?: string;
  /**
   * How many milliseconds to wait while others write: 0 to a minute, 1000 by default. Meanwhile
   * this process does nothing else. Set on the connection, so that it holds for all that is done
   * there.
   */
  readonly busyTimeout?: number;
  /**
   * `false` leaves the connection's settings as they are: neither `journal_mode = wal` nor
   * `synchronous = normal` nor `busy_timeout` is set.
   */
  readonly pragmas?: boolean;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * How many processes share the limits: 1 to 10 000; 1 by default. Where the database fails, a
   * limit whose `whenUnavailable` is `"local"` counts a part of that size in each of them.
   */
  readonly instances?: number;
  /** Receives failures, decisions without the database, and what is lent to this process. */
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
 * The same, all said and checked. @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`.
 */
export function checkedOptions(options: SqliteStoreOptions) {
  const { pragmas, busyTimeout, ...settings } = readOptions({ of: "sqliteStore" }, options, TABLE);
  return { ...settings, busyTimeout: checkedTimeout({ pragmas, busyTimeout }) };
}

/**
 * Others who write are done in a fraction of a millisecond each, but their disk may have to catch
 * up, and SQLite waits in steps of up to a tenth of a second, out of turn.
 */
const USUAL_TIMEOUT = SECOND;

type Timing = { readonly pragmas: boolean; readonly busyTimeout: number | undefined };

/** Undefined where the connection keeps its own settings. */
function checkedTimeout({ pragmas, busyTimeout }: Timing): number | undefined {
  if (pragmas)
    return whole({ least: 0, most: MINUTE, otherwise: USUAL_TIMEOUT })(busyTimeout, "busyTimeout");
  if (busyTimeout === undefined) return undefined;
  const expected = "nothing, for with `pragmas: false` the connection keeps its own";
  throw badOption("busyTimeout", busyTimeout, expected);
}
