/**
 * The store for many processes that have a Postgres: decisions in the caller's own transactions.
 */
import { flag, given, type OptionTable, readOptions, warn } from "../../internal/index.ts";
import { type Clock, checkedClock, type Store, type Warn } from "../../limits/core/index.ts";
import { SHARED_STORE_OPTIONS, type SharedStoreOptions, sharedStore } from "../shared/index.ts";
import { connect, type PostgresClient, placeOfDatabase } from "./clients/index.ts";
import { PostgresExecutor } from "./postgres-executor.ts";
import { checkedSchema } from "./schema.ts";
import { Statements } from "./statements.ts";
import { PostgresSweeper } from "./sweeper.ts";

export type { BreakerSettings, DenialCacheOptions, OnEvent, StoreEvent } from "../index.ts";
export type { SharedStoreOptions } from "../shared/index.ts";
export type { PostgresClient } from "./clients/index.ts";
export { migrate, migration } from "./schema.ts";

/**
 * Milliseconds to wait for an answer: connections are made as they are needed, each is a process of
 * the server's, and each reads the functions once.
 */
const DEADLINE = 250;

/** Settings of a Postgres store. */
export type PostgresStoreOptions = SharedStoreOptions & {
  /** Milliseconds after which an answer is no longer waited for: 1 to a minute. Default: 250. */
  readonly deadline?: number | undefined;
  /** The schema that `migrate` has installed. Default: `"spillway"`. */
  readonly schema?: string;
  /**
   * Whether statements are prepared once a connection. Default: true. Say false where a pooler
   * hands connections from transaction to transaction and does not know prepared statements, such
   * as PgBouncer before 1.21.
   */
  readonly prepare?: boolean;
  /**
   * Gives the time in place of the server's clock. For tests alone: clients' clocks
   * differ, and rows stay for an hour longer than they are good for.
   */
  readonly clock?: Clock;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
};

/**
 * Makes a store that keeps its states in Postgres 13 or later, a row for each key.
 *
 * A decision is one statement, however many limits it takes, and all that is asked in one turn of
 * the event loop shares one. The server's own clock gives the time. `limiter.within(tx)` decides in
 * a transaction of the caller's. Where Postgres fails or is late, each limit's `whenUnavailable`
 * answers, and the answer says `degraded`; see `docs/stores/postgres.md` for what each fault does.
 *
 * Run `migrate` before. Not for one process alone that has no need of transactions: a memory store
 * serves it a hundred times faster, and a SQLite store survives a restart.
 *
 * @param pool Of node-postgres, postgres.js or PGlite; made and closed by the caller.
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
