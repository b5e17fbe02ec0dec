/**
 * Runs statements with node-postgres: on one `Client`, or on a `Pool` that lends a client to each
 * statement.
 */
import type { Database, SendOptions, Statement } from "./connection.ts";
import { has, notATransaction, onlyText, type TransactionAdapter, tooLate } from "./library.ts";
import { breaksConnection } from "./sql-state.ts";

type PgQuery = { readonly name?: string; readonly text: string; readonly values: string[] };

/** The part of node-postgres' `Client` that is used. */
export type PgClient = {
  query(query: PgQuery | string): Promise<unknown>;
  /** Returns `"I"` if no transaction is open. Only newer versions have it. */
  getTransactionStatus?(): string | null;
  /** Not called. Only clients of node-postgres have it. */
  readonly setTypeParser: object;
  /** Not called. Only a client that a pool has lent has it. */
  readonly release?: object;
};

export function isPgClient(value: unknown): value is PgClient {
  return has<PgClient>(value, "query", "setTypeParser");
}

/** Wraps a client that only the store uses. If it breaks, there is no pool to replace it. */
export function overPgClient(client: PgClient, sending: SendOptions): Database {
  return {
    isShared: true,
    async run(statement, late) {
      const answer = await inTurn(client, () => {
        if (late()) throw tooLate();
        checkFree(client);
        return client.query(queryOf(statement, sending));
      });
      return onlyText(answer);
    },
    script: (text) =>
      inTurn(client, () => {
        checkFree(client);
        return client.query(text);
      }),
  };
}

export const adaptPg: TransactionAdapter = (candidate, sending) => {
  if (!isPgClient(candidate)) return undefined;
  checkBegun(candidate);
  const { release } = candidate;
  return {
    send(statement) {
      checkBegun(candidate);
      return candidate.query(queryOf(statement, sending));
    },
    // The pool sets a new `release` each time it lends the client.
    isBound: () => release !== undefined && candidate.release === release,
  };
};

function queryOf({ name, text, values }: Statement, { prepare }: SendOptions): PgQuery {
  const query = { text, values: [...values] };
  return prepare ? { name, ...query } : query;
}

/** Whether a transaction is open; `undefined` if the driver is too old to report it. */
function isInTransaction(client: PgClient): boolean | undefined {
  const status = client.getTransactionStatus?.();
  return status === undefined ? undefined : status === "T" || status === "E";
}

/**
 * Refuses a client with an open transaction. A statement must not become a part of that
 * transaction.
 */
function checkFree(client: PgClient): void {
  if (isInTransaction(client) !== true) return;
  throw new Error("the client has an open transaction, which its earlier user did not end");
}

/**
 * Refuses a client without an open transaction. A statement sent after its end would take effect on
 * its own.
 */
function checkBegun(client: PgClient): void {
  if (isInTransaction(client) !== false) return;
  const hint = 'Wait for its query("begin") first, and be done before its "commit"';
  throw notATransaction(client, "a client on which a transaction is open", hint);
}

const last = new WeakMap<object, Promise<unknown>>();

/**
 * Runs work on a connection after all earlier work has ended, even if that failed.
 *
 * Some drivers queue statements themselves, but then they also send late ones. A future version of
 * node-postgres no longer queues.
 */
function inTurn(connection: object, work: () => PromiseLike<unknown>): Promise<unknown> {
  const before = last.get(connection) ?? Promise.resolve();
  const turn = before.then(work, work);
  last.set(connection, turn);
  return turn;
}

/** The part of node-postgres' `Pool` that is used. */
export type PgPool = {
  connect(lent: (error: Error | undefined, client: PgPoolClient | undefined) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  /** Not read. Only pools of node-postgres have it. */
  readonly totalCount: number;
};

type PgPoolClient = Omit<PgClient, "release"> & {
  on(event: "error", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
  /** @param destroy Whether the pool closes the client, instead of lending it again. */
  release(destroy: boolean): void;
};

export function isPgPool(value: unknown): value is PgPool {
  return has<PgPool>(value, "connect") && typeof value.totalCount === "number";
}

export function overPgPool(pool: PgPool, sending: SendOptions): Database {
  listen(pool);
  return {
    async run(statement, late) {
      return onlyText(await queryPool(pool, queryOf(statement, sending), late));
    },
    script: (text) => queryPool(pool, text, () => false),
  };
}

const heard = new WeakSet<PgPool>();

/**
 * Ignores errors of a pool's idle connections. Without a listener, such an error would end the
 * process.
 */
function listen(pool: PgPool): void {
  if (heard.has(pool)) return;
  heard.add(pool);
  pool.on("error", ignore);
}

export const adaptPgPool: TransactionAdapter = (candidate) => {
  if (!isPgPool(candidate)) return undefined;
  const hint = "Get one with pool.connect() and begin a transaction on it: a pool has many clients";
  throw notATransaction(candidate, "one client of the pool", hint);
};

/**
 * Takes a client from the pool, and ignores its error events.
 *
 * A pool does not listen to clients that it has lent, and an error without a listener ends the
 * process. The listener is added before the promise resolves, because an error may arrive together
 * with the connection's greeting. An error that breaks a connection also fails the query on it.
 */
function lend(pool: PgPool): Promise<PgPoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return reject(error);
      client.on("error", ignore);
      resolve(client);
    });
  });
}

/**
 * Runs a query on a client of the pool. Always returns the client, for reuse or to be closed.
 *
 * @param late Returns whether the caller no longer waits. Then nothing is sent.
 */
async function queryPool(
  pool: PgPool,
  query: PgQuery | string,
  late: () => boolean,
): Promise<unknown> {
  const client = await lend(pool);
  let [isSent, isBroken] = [false, false];
  try {
    if (late()) throw tooLate();
    checkFree(client);
    isSent = true;
    return await client.query(query);
  } catch (error) {
    isBroken = isSent && breaksConnection(error);
    throw error;
  } finally {
    client.release(isBroken || isInTransaction(client) === true);
    client.removeListener("error", ignore);
  }
}

type TransactionBody = (transaction: PgClient) => Promise<void>;

/**
 * Runs a function in a transaction, on a client of the pool. Closes the client unless it was
 * committed.
 */
export async function onPgPool(pool: PgPool, use: TransactionBody): Promise<void> {
  const client = await lend(pool);
  let isCommitted = false;
  try {
    await begun(client, use);
    isCommitted = true;
  } finally {
    client.release(!isCommitted);
    client.removeListener("error", ignore);
  }
}

async function begun(client: PgClient, use: TransactionBody): Promise<void> {
  await client.query("begin");
  try {
    await use(client);
  } catch (error) {
    // On a connection that has broken, this fails too. The caller needs the error that came first.
    await client.query("rollback").catch(ignore);
    throw error;
  }
  await client.query("commit");
}

const ignore = () => {};
