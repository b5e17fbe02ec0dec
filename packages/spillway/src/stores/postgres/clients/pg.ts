/** node-postgres: a `Client` alone, or a `Pool`, of which each statement borrows a client. */
import type { Database, SendOptions, Statement } from "./connection.ts";
import { has, notATransaction, onlyText, type TransactionAdapter, tooLate } from "./library.ts";
import { breaksConnection } from "./sql-state.ts";

type PgQuery = { readonly name?: string; readonly text: string; readonly values: string[] };

/** What is used of node-postgres' `Client`. */
export type PgClient = {
  query(query: PgQuery | string): Promise<unknown>;
  /** `"I"` where no transaction is open. Only newer versions report it. */
  getTransactionStatus?(): string | null;
  /** Not used, but nobody else's clients have it. */
  readonly setTypeParser: object;
  /** Not used either; what a pool has lent has it. */
  readonly release?: object;
};

export function isPgClient(value: unknown): value is PgClient {
  return has<PgClient>(value, "query", "setTypeParser");
}

/** A client that the store has for itself. There is no pool to replace it when it breaks. */
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
    // A pool gives it another one each time that it lends the client.
    isBound: () => release !== undefined && candidate.release === release,
  };
};

function queryOf({ name, text, values }: Statement, { prepare }: SendOptions): PgQuery {
  const query = { text, values: [...values] };
  return prepare ? { name, ...query } : query;
}

/** Whether a transaction is open; `undefined` where the driver is too old to report it. */
function isInTransaction(client: PgClient): boolean | undefined {
  const status = client.getTransactionStatus?.();
  return status === undefined ? undefined : status === "T" || status === "E";
}

/** What is to be its own transaction must not become a part of another. */
function checkFree(client: PgClient): void {
  if (isInTransaction(client) !== true) return;
  throw new Error("the client has a transaction open that somebody began and did not end");
}

/** That a transaction has ended may turn out late: what is sent then would be done for good. */
function checkBegun(client: PgClient): void {
  if (isInTransaction(client) !== false) return;
  const hint = 'Wait for its query("begin") first, and be done before its "commit"';
  throw notATransaction(client, "a client on which a transaction is open", hint);
}

const last = new WeakMap<object, Promise<unknown>>();

/**
 * Does work on a connection once what was asked for earlier is done, whether that went well or not.
 *
 * Some drivers queue statements themselves, but then don't ask whether one is late by now, and
 * node-postgres is about to stop doing so.
 */
function inTurn(connection: object, work: () => PromiseLike<unknown>): Promise<unknown> {
  const before = last.get(connection) ?? Promise.resolve();
  const turn = before.then(work, work);
  last.set(connection, turn);
  return turn;
}

/** What is used of node-postgres' `Pool`. */
export type PgPool = {
  connect(lent: (error: Error | undefined, client: PgPoolClient | undefined) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  /** Not used, but nobody else's pools have it. */
  readonly totalCount: number;
};

type PgPoolClient = Omit<PgClient, "release"> & {
  on(event: "error", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
  /** @param destroy Whether the pool is to close it, and never lend it again. */
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

/** What a pool reports of connections that nobody has borrowed: unheard, it would end the process. */
function listen(pool: PgPool): void {
  if (heard.has(pool)) return;
  heard.add(pool);
  pool.on("error", ignore);
}

export const adaptPgPool: TransactionAdapter = (candidate) => {
  if (!isPgPool(candidate)) return undefined;
  const hint = "Take one by pool.connect() and begin a transaction on it: a pool has many";
  throw notATransaction(candidate, "one client of the pool's", hint);
};

/**
 * Lends a client. A pool does not listen to what it has lent, and an error that is not heard ends the
 * process: it is listened to before a promise could reject, for the error may be in what has arrived
 * together with the connection's greeting. What breaks a connection fails the query on it as well.
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
 * Queries on a client of the pool's, and gives it back whatever happens: to be lent again, or to be closed.
 *
 * @param late Whether nobody waits any more: then nothing is sent.
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

/** Uses a client of the pool's in a transaction. One on which it was not committed is closed. */
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
    await client.query("rollback");
    throw error;
  }
  await client.query("commit");
}

const ignore = () => {};
