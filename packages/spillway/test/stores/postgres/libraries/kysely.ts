import {
  CamelCasePlugin,
  type ControlledTransaction,
  Kysely,
  ParseJSONResultsPlugin,
  PostgresDialect,
  sql,
  type Transaction,
} from "kysely";
import { Pool } from "pg";
import { bySavepoint, type Open, type Work, type WorkWithin } from "./library.ts";

/** Kysely over node-postgres, with transactions that begin and end with a callback. */
export const openKysely: Open = async (url) => {
  const { root, pool } = open(url);
  return {
    root,
    database: pool,
    transact: (work) => root.transaction().execute((outer) => within(outer, work)),
    [Symbol.asyncDispose]: () => root.destroy(),
  };
};

/** The same with transactions that one ends oneself, the only ones with savepoints. */
export const openKyselyControlled: Open = async (url) => {
  const { root, pool } = open(url);
  return {
    root,
    database: pool,
    async transact(work) {
      const outer = await root.startTransaction().execute();
      await ended(outer, () => work(outer, (inner) => nested(outer, inner)));
    },
    [Symbol.asyncDispose]: () => root.destroy(),
  };
};

/** With the plugins that could change what is asked, and what is answered. */
function open(url: string) {
  const pool = new Pool({ connectionString: url });
  const plugins = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];
  return { pool, root: new Kysely<object>({ dialect: new PostgresDialect({ pool }), plugins }) };
}

function within(outer: Transaction<object>, work: WorkWithin): Promise<void> {
  const nested = bySavepoint((text) => sql.raw(text).execute(outer));
  return work(outer, (inner) => nested(() => inner(outer)));
}

async function ended(outer: ControlledTransaction<object>, work: () => Promise<void>) {
  try {
    await work();
    await outer.commit().execute();
  } catch (error) {
    await outer.rollback().execute();
    throw error;
  }
}

async function nested(outer: ControlledTransaction<object>, work: Work): Promise<void> {
  const inner = await outer.savepoint("here").execute();
  try {
    await work(inner);
  } catch (error) {
    await inner.rollbackToSavepoint("here").execute();
    throw error;
  }
}
