/** Checks the options of a pg-boss queue. */
import {
  badObject,
  badOption,
  checkMethod,
  type OptionTable,
  readOptions,
  scheduler,
  whole,
} from "../../../internal/index.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../limits/core/index.ts";
import { isPgLite, isPgPool } from "../../../stores/postgres/clients/index.ts";
import type { Boss, PgBossParts, PgBossQueueOptions } from "./contracts.ts";

const TABLE = {
  name: checkedName,
  pool: checkedPool,
  longest: whole({ least: SECOND, most: DAY - HOUR, otherwise: 5 * MINUTE }),
  attempts: whole({ most: 100, otherwise: 3 }),
  backoff: whole({ least: 0, most: DAY, otherwise: SECOND }),
  poll: whole({ least: 20, most: MINUTE, otherwise: 500 }),
  scheduler,
} satisfies OptionTable<PgBossQueueOptions>;

/** Checks the options and adds defaults. @throws SpillwayError `bad-option`, `unknown-field` */
export function checkedParts(boss: Boss, options: PgBossQueueOptions): PgBossParts {
  const settings = readOptions({ of: "pgBossQueue" }, options, TABLE);
  checkMethod("boss", boss, { method: "fetch", expected: "a PgBoss that was started" });
  return { boss, ...settings };
}

function checkedName(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw badOption("name", value, "a queue's name");
}

function checkedPool(value: unknown): PgBossParts["pool"] {
  if (isPgPool(value) || isPgLite(value)) return value;
  throw badObject("pool", value, "a Pool of node-postgres or a PGlite");
}
