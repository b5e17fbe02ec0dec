/**
 * Joins transactions of callers. Only the types of their libraries are declared; nothing is
 * imported.
 */
import type { PostgresConnection, SendOptions } from "./connection.ts";
import { adaptDrizzle } from "./drizzle.ts";
import { adaptKnex } from "./knex.ts";
import { adaptKysely } from "./kysely.ts";
import {
  notATransaction,
  onlyText,
  type TransactionAdapter,
  type TransactionSender,
} from "./library.ts";
import { adaptOthers } from "./others.ts";
import { adaptPg, adaptPgPool } from "./pg.ts";
import { adaptPgLite } from "./pglite.ts";
import { adaptPostgresJs } from "./postgres-js.ts";
import { adaptPrisma } from "./prisma.ts";

/** Runs statements in one transaction. */
export type TransactionConnection = PostgresConnection & Pick<TransactionSender, "isBound">;

/** The most specific adapters come first. The last one accepts any similar object. */
const ADAPTERS: readonly TransactionAdapter[] = [
  adaptPgPool,
  adaptPg,
  adaptPostgresJs,
  adaptPgLite,
  adaptDrizzle,
  adaptKysely,
  adaptKnex,
  adaptPrisma,
  adaptOthers,
];

/**
 * Returns a connection that runs statements in a caller's transaction, each as soon as it is
 * called.
 *
 * @throws SpillwayError `bad-transaction` if it is not an open transaction of a known library.
 */
export function adaptTransaction(
  transaction: object,
  sending: SendOptions = { prepare: true },
): TransactionConnection {
  for (const adapter of ADAPTERS) {
    const joined = adapter(transaction, sending);
    if (joined === undefined) continue;
    const { send, isBound } = joined;
    // Sent at once, even if earlier statements have no answer yet, because the driver keeps the
    // order. A statement that waited here might be sent after the end of the transaction, and take
    // effect on its own.
    return { isBound, run: async (statement) => onlyText(await send(statement)) };
  }
  throw notATransaction(
    transaction,
    "a transaction of node-postgres, postgres.js, PGlite, Drizzle, Kysely, Knex or Prisma",
  );
}
