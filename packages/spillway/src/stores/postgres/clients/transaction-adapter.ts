/** The transactions that a store can join: described, not imported. */
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

/** Statements in one transaction. */
export type TransactionConnection = PostgresConnection & Pick<TransactionSender, "isBound">;

/** What is known best comes first: the last takes what looks like anything of the kind. */
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
 * Statements in a transaction of the caller's, sent when they are run.
 *
 * @throws SpillwayError `bad-transaction` for what is none.
 */
export function adaptTransaction(
  transaction: object,
  sending: SendOptions = { prepare: true },
): TransactionConnection {
  for (const adapter of ADAPTERS) {
    const joined = adapter(transaction, sending);
    if (joined === undefined) continue;
    const { send, isBound } = joined;
    // At once, whatever was sent before is answered or not: the driver keeps the order, and what waited
    // here instead might be overtaken by the end of the transaction, and be done for good.
    return { isBound, run: async (statement) => onlyText(await send(statement)) };
  }
  throw notATransaction(
    transaction,
    "a transaction of node-postgres, postgres.js, PGlite, Drizzle, Kysely, Knex or Prisma",
  );
}
