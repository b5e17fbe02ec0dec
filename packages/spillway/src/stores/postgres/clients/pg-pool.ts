/** node-postgres' `Pool`: each statement borrows a client, and the client always comes back. */
import type { Sending } from "./connection.ts";
import { type Driver, type Join, notATransaction, tooLate } from "./library.ts";
import { checkFree, isInTransaction, type PgClient, queryOf } from "./pg.ts";
import { has } from "./shape.ts";
import { breaksConnection } from "./sql-state.ts";

/** What is used of node-postgres' `Pool`. */
export type PgPool = {
  connect(lent: (error: Error | undefined, client: PgPoolClient | undefined) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  /** Not used, but nobody else's pools have it. */
  readonly totalCount: number;
};

type PgPoolClient = PgClient & {
  on(event: "error", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
  /** @param destroy Whether the pool is to close it, and never lend it again. */
  release(destroy: boolean): void;
};

export function isPgPool(value: unknown): value is PgPool {
  return has<PgPool>(value, "connect") && typeof value.totalCount === "number";
}

export function overPgPool(pool: PgPool, sending: Sending): Driver {
  listen(pool);
  return {
    async send(statement, late) {
      const client = await lend(pool);
      if (!late()) return borrow(client, () => client.query(queryOf(statement, sending)));
      giveBack(client, false);
      throw tooLate();
    },
    async script(text) {
      const client = await lend(pool);
      return borrow(client, () => client.query(text));
    },
  };
}

const heard = new WeakSet<PgPool>();

/** What a pool tells of connections that nobody has borrowed: unheard, it would end the process. */
function listen(pool: PgPool): void {
  if (heard.has(pool)) return;
  heard.add(pool);
  pool.on("error", ignore);
}

export const joinPgPool: Join = (candidate) => {
  if (!isPgPool(candidate)) return undefined;
  const hint = "Take one by pool.connect() and begin a transaction on it: a pool has many";
  throw notATransaction(candidate, "one client of the pool's", hint);
};

/**
 * Lends a client. A pool does not listen to what it has lent, and an error that is not heard ends the
 * process: it is listened to before a promise could tell, for the error may be in what has arrived
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

function giveBack(client: PgPoolClient, destroy: boolean): void {
  client.release(destroy);
  client.removeListener("error", ignore);
}

/** Uses a client, and gives it back whatever happens: to be lent again, or to be closed. */
async function borrow(client: PgPoolClient, use: () => Promise<unknown>): Promise<unknown> {
  let isBroken = false;
  try {
    checkFree(client);
    return await use();
  } catch (error) {
    isBroken = breaksConnection(error);
    throw error;
  } finally {
    giveBack(client, isBroken || isInTransaction(client) === true);
  }
}

const ignore = () => {};
