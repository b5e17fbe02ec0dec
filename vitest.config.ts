import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{packages/*/test,examples,scripts/test,bench}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    // Every core: left alone, vitest keeps one free, and half of a small machine idle.
    maxWorkers: "100%",
    // Tests here share nothing and mock nothing; a process for each file would cost half the time.
    isolate: false,
    // Only ends what hangs. How fast things are is for `bench/` to say.
    testTimeout: 60_000,
  },
});
