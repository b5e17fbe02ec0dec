export { auditMigration, auditTable } from "./audit-table.ts";
export { postgresPool } from "./pool.ts";
export { type InstalledSchema, installedIn, isInstalled, withSchema } from "./schema.ts";
export { type DatabaseTarget, notInstalled, troubleOf } from "./trouble.ts";
