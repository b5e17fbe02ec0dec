import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { PrismaClient } from "../../../../../../examples/within/fixtures/prisma/client/client.ts";
import type { Open } from "./library.ts";

/** Prisma over node-postgres, whose nested transactions are savepoints. */
export const openPrisma: Open = async (url) => {
  const pool = new Pool({ connectionString: url });
  const root = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    root,
    database: pool,
    transact: (work) =>
      root.$transaction((outer) => work(outer, (nested) => outer.$transaction(nested))),
    async [Symbol.asyncDispose]() {
      await root.$disconnect();
      await pool.end();
    },
  };
};
