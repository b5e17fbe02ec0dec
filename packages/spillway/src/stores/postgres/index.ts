/**
 * The store for many processes that share a Postgres. It can decide in the caller's own
 * transactions.
 */
import { flag, given, type OptionTable, readOptions, warn } from "../../internal/index.ts";
import { type Clock, checkedClock, type Store, type Warn } from "../../limits/core/index.ts";
import { SHARED_STORE_OPTIONS, type SharedStoreOptions, sharedStore } from "../shared/index.ts";
import { connect, type PostgresClient, placeOfDatabase } from "./clients/index.ts";
import { PostgresExecutor } from "./postgres-executor.ts";
import { RegisterStatements } from "./register-statements.ts";
import { checkedSchema } from "./schema.ts";
import { Statements } from "./statements.ts";
import { PostgresSweeper } from "./sweeper.ts";

export type { BreakerSettings, DenialCacheOptions, OnEvent, StoreEvent } from "../index.ts";
export type { SharedStoreOptions } from "../shared/index.ts";
export type { PostgresClient } from "./clients/index.ts";
export { migrate, migration } from "./schema.ts";

/**
 * The default deadline, in milliseconds. It includes opening a connection, which starts a process
 * of the server, and loading the functions there.
 */
const DEADLINE = 250;

/** Settings of a Postgres store. */
export type PostgresStoreOptions = SharedStoreOptions & {
  /** How long to wait for an answer, in milliseconds: 1 to 60 000. Default: 250. */
  readonly deadline?: number | undefined;
  /** The schema that `migrate` installed. Default: `"spillway"`. */
  readonly schema?: string;
  /**
   * Whether statements are prepared, once for each connection. Default: true. Use false behind a
   * pooler that assigns a connection to each transaction and does not support prepared statements,
   * such as PgBouncer before 1.21.
   */
  readonly prepare?: boolean;
  /**
   * Returns the time, instead of the server's clock. For tests only: clients' clocks differ, and
   * rows are removed an hour late.
   */
  readonly clock?: Clock;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
};

/**
 * Creates a store that keeps its states in Postgres 13 or later, in one row for each key.
 *
 * Each decision is a part of one statement, for any number of limits. All calls of one turn of
 * the event loop share statements. The server's clock gives the time. `limiter.within(tx)` decides
 * in a transaction of the caller. If Postgres fails or is late, each limit's `whenUnavailable`
 * decides, and the decision has `degraded: true`. See `docs/stores/postgres.md` for the effect of
 * each fault.
 *
 * Run `migrate` first. Not for a single process that needs no transactions: a memory store is a
 * hundred times faster, and a SQLite store survives a restart.
 *
 * @param pool A pool of node-postgres, postgres.js or PGlite. The caller creates and closes it.
 * @throws SpillwayError `bad-client`, `bad-option`, `bad-clock`, `unknown-field`.
 * @example
 * const pool = new Pool({ connectionString });
 * await migrate(pool);
 * const limiter = new RateLimiter(limits, { store: postgresStore(pool) });
 */
export function postgresStore(
  pool: PostgresClient,
  options: PostgresStoreOptions = {},
): Store<"later"> {
  const read = readOptions({ of: "postgresStore" }, options, TABLE);
  const { schema, prepare, deadline, clock, warn, ...shared } = read;
  const connection = connect(pool, { prepare });
  const statements = new Statements(schema);
  const executor = new PostgresExecutor({
    place: placeOfDatabase(pool),
    connection,
    statements,
    register: new RegisterStatements(schema),
    sweeper: new PostgresSweeper(connection, statements, clock),
    schema,
    prepare,
    deadline,
    clock,
  });
  return sharedStore(executor, { ...shared, deadline, warn });
}

const TABLE = {
  schema: checkedSchema,
  prepare: flag(true),
  clock: (value: unknown) => (value === undefined ? undefined : checkedClock(value as Clock)),
  warn,
  ...SHARED_STORE_OPTIONS,
  deadline: given<number>(DEADLINE),
} satisfies OptionTable<PostgresStoreOptions>;
