/** Time and chance are parameters: what the machine itself offers is named in one file each. */
import type { Check } from "./finding.ts";
import { modulesIn } from "./syntax.ts";

const CLOCK = "packages/spillway/src/limits/core/clock.ts";
const SCHEDULER = "packages/spillway/src/limits/core/scheduler.ts";
const RANDOM = "packages/spillway/src/internal/random.ts";

/** The one file that may name it; `undefined`: none so far. */
const OWNERS: ReadonlyMap<string, string | undefined> = new Map([
  ["Date.now", CLOCK],
  ["new Date()", CLOCK],
  ["Math.random", RANDOM],
  ["performance.now", SCHEDULER],
  ["setInterval", undefined],
  ["setTimeout", SCHEDULER],
  ["setImmediate", SCHEDULER],
]);

export const ambient: Check = (tree) =>
  modulesIn(tree, /^packages\/[^/]+\/src\//).flatMap(([file, { names }]) =>
    names
      .filter(({ name }) => OWNERS.has(name) && OWNERS.get(name) !== file)
      .map(({ name, line }) => {
        const expected = `it in ${OWNERS.get(name) ?? "no file"} only (scripts/tidy/ambient.ts)`;
        return { file, line, found: name, expected };
      }),
  );
