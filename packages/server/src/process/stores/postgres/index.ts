export { postgresPool } from "./pool.ts";
export { type Installed, installedIn, isInstalled, withSchema } from "./schema.ts";
export { notInstalled, type Target, troubleOf } from "./trouble.ts";
