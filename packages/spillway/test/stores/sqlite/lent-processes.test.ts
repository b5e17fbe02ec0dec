/** Processes that hold units of one file keep law 1 to the unit, killed and suspended as well. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Limit } from "../../../src/core/index.ts";
import { runs } from "../../runs.ts";
import { beginTogether } from "../child.ts";
import { excess, LentAsker } from "../lent-askers.ts";
import { tempFolder } from "./drivers.ts";
import type { LentErrand } from "./lent-errand.ts";

const LIMIT = {
  kind: "token bucket",
  rate: 400,
  period: 1000,
  capacity: 200,
  share: 400,
} as const satisfies Limit;
const FOR_MS = runs(2500);
const PROGRAM = new URL("./lent-asker.ts", import.meta.url);

test("four processes, one killed and one suspended for longer than it may hold, are never over", async () => {
  using folder = tempFolder();
  const errand = {
    path: folder.file("limits.db"),
    limit: LIMIT,
    forMs: FOR_MS,
  } satisfies LentErrand;
  const askers = [0, 1, 2, 3].map(() => new LentAsker(PROGRAM, errand));
  await beginTogether(askers);
  const [killed, suspended, ...others] = askers as [LentAsker, LentAsker, ...LentAsker[]];
  await killed.killWhen(() => killed.admitted.length > 30);
  await suspended.suspendFor(3 * LIMIT.share, pause);
  await Promise.all([suspended, ...others].map((asker) => asker.done()));
  for (const asker of askers) expect(asker.admitted.length).toBeGreaterThan(0);
  expect(
    excess(
      askers.flatMap(({ admitted }) => admitted),
      LIMIT,
    ),
  ).toBeLessThanOrEqual(0);
});
