/** Memory and SQLite answer alike while definitions, overrides and penalties take turns. */
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { compareTurns } from "../../src/testing/compare-turns.ts";
import { manualClock } from "../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../runs.ts";

/** Memory once took a key in it for one under the plan from before its override. */
const FOUND = [5153];
const SEEDS = [...FOUND, ...Array.from({ length: runs(6) }, (_, index) => FIRST_SEED + index)];

test.each(SEEDS)("seed %i", async (seed) => {
  const clock = manualClock();
  const database = new DatabaseSync(":memory:");
  const ours = memoryStore({ clock });
  await compareTurns({ store: sqliteStore(database, { clock }), ours, clock, seed });
  database.close();
});
