/** The transactions that a store can join: described, not imported. */
import { onlyText } from "./answer.ts";
import type { Connection, Sending } from "./connection.ts";
import { joinDrizzle } from "./drizzle.ts";
import { joinKnex } from "./knex.ts";
import { joinKysely } from "./kysely.ts";
import { type Join, notATransaction } from "./library.ts";
import { joinOthers } from "./others.ts";
import { joinPg } from "./pg.ts";
import { joinPgPool } from "./pg-pool.ts";
import { joinPgLite } from "./pglite.ts";
import { joinPostgresJs } from "./postgres-js.ts";
import { joinPrisma } from "./prisma.ts";

/** What is known best comes first: the last takes what looks like anything of the kind. */
const LIBRARIES: readonly Join[] = [
  joinPgPool,
  joinPg,
  joinPostgresJs,
  joinPgLite,
  joinDrizzle,
  joinKysely,
  joinKnex,
  joinPrisma,
  joinOthers,
];

/**
 * Statements in a transaction of the caller's, sent when they are run.
 *
 * @throws SpillwayError `bad-transaction` for what is none.
 */
export function joined(transaction: object, sending: Sending = { prepare: true }): Connection {
  for (const join of LIBRARIES) {
    const send = join(transaction, sending);
    if (send === undefined) continue;
    // At once, whatever was sent before is answered or not: the driver keeps the order, and what waited
    // here instead might be overtaken by the end of the transaction, and be done for good.
    return { run: async (statement) => onlyText(await send(statement)) };
  }
  throw notATransaction(
    transaction,
    "a transaction of node-postgres, postgres.js, PGlite, Drizzle, Kysely, Knex or Prisma",
  );
}
