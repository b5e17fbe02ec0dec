import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./scripts/vitest/long-first.ts";

/** Count fake timers, or run all of them: none that another file has left behind may be among them. */
const TIMER_COUNTS = [
  "packages/spillway/test/limiter/{crowds,run,waiting*}.test.ts",
  "packages/spillway/test/internal/shared-timer.test.ts",
  "packages/spillway/test/stores/remote/pending-releases.test.ts",
  "packages/spillway/test/traps.test.ts",
  "packages/spillway/test/http/middleware/queueing.test.ts",
  "packages/server/test/transports/envoy/overdue.test.ts",
];

const OWN_HEAPS = [
  // Keeps what it has played for all its tests: files that came after it would keep it too.
  "scripts/test/played/played.test.ts",
  // Collects garbage again and again: what other files have left would be looked through each time.
  "packages/spillway/test/internal/own-text.test.ts",
];

/** Imports another Nest under the same names. */
const OTHER_MODULES = ["packages/spillway/test/http/middleware/nest-11.test.ts"];

/** Milliseconds: far more than anything takes on a machine that is slow, and stands still now and then. */
const HANGS = 300_000 * Number(process.env.SPILLWAY_RUNS ?? 1);

const ALONE = [...TIMER_COUNTS, ...OWN_HEAPS, ...OTHER_MODULES];
for (const pattern of ALONE) {
  if (globSync(pattern, { cwd: import.meta.dirname }).length > 0) continue;
  throw new Error(`vitest.config.ts: "${pattern}" matches no file; write where the test is now.`);
}

export default defineConfig({
  test: {
    // One more than there are cores: a third of their time, files wait for servers and processes of their own. No more
    // than that: what drivers themselves wait for is seconds.
    maxWorkers: availableParallelism() + 1,
    // Tests provoke what is warned of; those that are about it have a `warn` of their own.
    setupFiles: ["packages/spillway/test/quiet-warnings.ts"],
    sequence: { sequencer: LongFirst },
    reporters: ["default", "./scripts/vitest/skipped-tests.ts"],
    // Only end what hangs. How fast things are is for `bench/` to say.
    testTimeout: HANGS,
    hookTimeout: HANGS,
    // Tests start hundreds of processes that load the same modules: each is compiled, and stripped of its types, once.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL(".spillway/compiled", import.meta.url)) },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["{packages/*/test,examples,scripts/test,bench,site/test}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**", ...ALONE],
          // Tests share nothing and mock nothing; a process for each file would cost half the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, isolate: true } },
    ],
  },
});
