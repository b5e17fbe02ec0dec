/** Whether a queue can be made of what is given. */

import {
  badObject,
  badOption,
  checkOptions,
  checkWhole,
  systemScheduler,
} from "../../../internal/index.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../limits/core/index.ts";
import { isPgLite, isPgPool } from "../../../stores/postgres/clients/index.ts";
import type { Boss, PgBossParts, PgBossQueueOptions } from "./contracts.ts";

const NAMES: readonly (keyof PgBossQueueOptions)[] = [
  "name",
  "pool",
  "longest",
  "attempts",
  "backoff",
  "poll",
  "scheduler",
];

/** @throws SpillwayError `bad-option`, `unknown-field` */
export function checkedParts(boss: Boss, options: PgBossQueueOptions): PgBossParts {
  checkOptions("pgBossQueue", options, NAMES);
  const { name, pool, longest = 5 * MINUTE, attempts = 3, backoff = SECOND, poll = 500 } = options;
  const { scheduler = systemScheduler } = options;
  if (typeof (boss as Partial<Boss> | undefined)?.fetch !== "function") {
    throw badObject("boss", boss, "a PgBoss that was started");
  }
  if (typeof name !== "string" || name === "") throw badOption("name", name, "a queue's name");
  if (!isPgPool(pool) && !isPgLite(pool)) {
    throw badObject("pool", pool, "a Pool of node-postgres or a PGlite");
  }
  checkWhole("longest", longest, { least: SECOND, most: DAY - HOUR });
  checkWhole("attempts", attempts, { most: 100 });
  checkWhole("backoff", backoff, { least: 0, most: DAY });
  checkWhole("poll", poll, { least: 20, most: MINUTE });
  return { boss, name, pool, longest, attempts, backoff, poll, scheduler };
}
