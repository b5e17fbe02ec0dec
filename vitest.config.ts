import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./scripts/vitest/long-first.ts";

/** Count fake timers, or run all of them: none that another file has left behind may be among them. */
const TIMER_COUNTS = [
  "packages/spillway/test/limiter/{crowds,early-calls,run,shared-timer,waiting*}.test.ts",
  "packages/spillway/test/stores/remote/pending-releases.test.ts",
  "packages/spillway/test/traps.test.ts",
  "packages/spillway/test/http/middleware/queueing.test.ts",
  "packages/server/test/transports/envoy/overdue.test.ts",
];

/** Imports another Nest under the same names. */
const OTHER_MODULES = ["packages/spillway/test/http/middleware/nest-11.test.ts"];

/** Milliseconds: far more than anything takes on a machine that is slow, and stands still now and then. */
const HANGS = 300_000 * Number(process.env.SPILLWAY_RUNS ?? 1);

const ALONE = [...TIMER_COUNTS, ...OTHER_MODULES];

export default defineConfig({
  test: {
    // Every core: left alone, vitest keeps one free, and half of a small machine idle. No more than those: tests have
    // processes of their own, and what drivers themselves wait for is seconds.
    maxWorkers: "100%",
    // Tests provoke what is warned of; those that are about it have a `warn` of their own.
    // And what waits for leases is loaded: what happens before is for `early-calls.test.ts`.
    setupFiles: ["packages/spillway/test/quiet-warnings.ts", "packages/spillway/test/loaded.ts"],
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
          include: ["{packages/*/test,examples,scripts/test,bench}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**", ...ALONE],
          // Tests share nothing and mock nothing; a process for each file would cost half the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, isolate: true } },
    ],
  },
});
