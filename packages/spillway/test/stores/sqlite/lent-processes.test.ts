/** Processes that hold units of one file keep law 1 to the unit, killed and suspended as well. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { runs } from "../../runs.ts";
import { admitMore, admittedBy, beginFour, endAll, excess, LIMIT } from "../lent-askers.ts";
import { tempFolder } from "./drivers.ts";
import type { LentErrand } from "./lent-errand.ts";

/** Units that the limit gives in two seconds. */
const UNITS = runs(800);
const PROGRAM = new URL("./lent-asker.ts", import.meta.url);

test("four processes, one killed and one suspended for longer than it may hold, are never over", async () => {
  using folder = tempFolder();
  const errand = { path: folder.file("limits.db"), limit: LIMIT } satisfies LentErrand;
  const askers = await beginFour(PROGRAM, errand);
  const [killed, suspended, ...others] = askers;
  await killed.killWhen(() => killed.admitted.length > 30);
  await suspended.suspendFor(3 * LIMIT.share, pause);
  await admitMore([suspended, ...others], UNITS);
  await endAll([suspended, ...others]);
  expect(excess(admittedBy(askers), LIMIT)).toBeLessThanOrEqual(0);
});
