import { openDrizzleJs, openDrizzleLite, openDrizzlePg } from "./drizzle.ts";
import { openKnex } from "./knex.ts";
import { openKysely, openKyselyControlled } from "./kysely.ts";
import type { Open } from "./library.ts";
import { openPg } from "./pg.ts";
import { openPgLite } from "./pglite.ts";
import { openPostgresJs } from "./postgres-js.ts";
import { openPrisma } from "./prisma.ts";

/** Every library whose transactions are claimed to be joined. */
export const libraries: Readonly<Record<string, Open>> = {
  "node-postgres": openPg,
  "postgres.js": openPostgresJs,
  PGlite: openPgLite,
  "Drizzle over node-postgres": openDrizzlePg,
  "Drizzle over postgres.js": openDrizzleJs,
  "Drizzle over PGlite": openDrizzleLite,
  Kysely: openKysely,
  "Kysely, controlled": openKyselyControlled,
  Knex: openKnex,
  Prisma: openPrisma,
};
