import { PGlite } from "@electric-sql/pglite";
import { bySavepoint, type Open } from "./library.ts";

/** PGlite, which is a database of its own. */
export const openPgLite: Open = async () => {
  const database = await PGlite.create();
  return {
    root: database,
    database,
    transact: (work) =>
      database.transaction((transaction) => {
        const nested = bySavepoint((text) => transaction.exec(text));
        return work(transaction, (inner) => nested(() => inner(transaction)));
      }),
    [Symbol.asyncDispose]: () => database.close(),
  };
};
