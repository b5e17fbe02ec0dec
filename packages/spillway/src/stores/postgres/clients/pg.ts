/** node-postgres: a `Client`, alone or lent by a pool. */
import type { Sending, Statement } from "./connection.ts";
import { type Driver, type Join, notATransaction, tooLate } from "./library.ts";
import { has } from "./shape.ts";
import { inTurn } from "./turns.ts";

type Query = { readonly name?: string; readonly text: string; readonly values: string[] };

/** What is used of node-postgres' `Client`. */
export type PgClient = {
  query(query: Query | string): Promise<unknown>;
  /** `"I"` where no transaction is open. Only newer versions tell. */
  getTransactionStatus?(): string | null;
  /** Not used, but nobody else's clients have it. */
  readonly setTypeParser: object;
};

export function isPgClient(value: unknown): value is PgClient {
  return has<PgClient>(value, "query", "setTypeParser");
}

/** A client that the store has for itself. There is no pool to replace it when it breaks. */
export function overPgClient(client: PgClient, sending: Sending): Driver {
  return {
    send: (statement, late) =>
      inTurn(client, () => {
        if (late()) throw tooLate();
        checkFree(client);
        return client.query(queryOf(statement, sending));
      }),
    script: (text) =>
      inTurn(client, () => {
        checkFree(client);
        return client.query(text);
      }),
  };
}

export const joinPg: Join = (candidate, sending) => {
  if (!isPgClient(candidate)) return undefined;
  checkBegun(candidate);
  return (statement) => {
    checkBegun(candidate);
    return candidate.query(queryOf(statement, sending));
  };
};

export function queryOf({ name, text, values }: Statement, { prepare }: Sending): Query {
  const query = { text, values: [...values] };
  return prepare ? { name, ...query } : query;
}

/** Whether a transaction is open; `undefined` where the driver is too old to tell. */
export function isInTransaction(client: PgClient): boolean | undefined {
  const status = client.getTransactionStatus?.();
  return status === undefined ? undefined : status === "T" || status === "E";
}

/** What is to be its own transaction must not become a part of another. */
export function checkFree(client: PgClient): void {
  if (isInTransaction(client) !== true) return;
  throw new Error("the client has a transaction open that somebody began and did not end");
}

/** That a transaction has ended may turn out late: what is sent then would be done for good. */
function checkBegun(client: PgClient): void {
  if (isInTransaction(client) !== false) return;
  const hint = 'Wait for its query("begin") first, and be done before its "commit"';
  throw notATransaction(client, "a client on which a transaction is open", hint);
}
