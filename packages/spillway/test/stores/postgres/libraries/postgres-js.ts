import postgres from "postgres";
import type { Open } from "./library.ts";

/** postgres.js, whose savepoints are transactions of their own. */
export const openPostgresJs: Open = async (url) => {
  const sql = postgres(url, { onnotice() {} });
  return {
    root: sql,
    database: sql,
    async transact(work) {
      await sql.begin((outer) =>
        work(outer, async (nested) => {
          await outer.savepoint(nested);
        }),
      );
    },
    [Symbol.asyncDispose]: () => sql.end(),
  };
};
