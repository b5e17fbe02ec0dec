/** What `exceptions` lists: all that is in force and nothing else, in any order of calls. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import type { Command, RegisterCommand, Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { LIMITS, listsWhatIsInForce, pagesThroughWhatStays } from "./exceptions-world.ts";

const stores = {
  memory: (clock: ManualClock) => memoryStore({ clock }),
  SQLite: (clock: ManualClock) => sqliteStore(new DatabaseSync(":memory:"), { clock }),
};

describe.each(Object.entries(stores))("exceptions in %s", (_, store) => {
  const open = (clock: ManualClock) =>
    new RateLimiter(LIMITS, { store: store(clock), warn: () => {} });

  test("are listed while they are in force", async () => {
    await fc.assert(listsWhatIsInForce(open, manualClock), { numRuns: runs(60) });
  });

  test("are on one page each, if they stay", async () => {
    await fc.assert(pagesThroughWhatStays(open, manualClock), { numRuns: runs(60) });
  });
});

/** A store that carries out each command when the scheduler comes to it. */
function inAnyOrder(store: Store<"now">, scheduler: fc.Scheduler): Store<"later"> {
  const turn = (label: string) => scheduler.schedule(Promise.resolve(), label);
  return {
    timing: "later",
    overrides: true,
    execute: async (command: Command) => {
      await turn(command.verb);
      return store.execute(command) as never;
    },
    register: async (command: RegisterCommand) => {
      await turn(command.verb);
      return store.register?.(command) as never;
    },
  };
}

const call = fc.record({
  call: fc.constantFrom("block", "unblock", "override", "endOverride"),
  key: fc.constantFrom("a", "b"),
  for: fc.constantFrom(1000, 5_000_000, 20_000_000),
} as const);

test("an exception that was answered is listed, whatever calls ran beside it", async () => {
  const calls = fc.array(call, { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), calls, fc.nat(20_000_000), async (scheduler, all, ms) => {
      const clock = manualClock();
      const store = memoryStore({ clock });
      const limiter = new RateLimiter(LIMITS, { store: inAnyOrder(store, scheduler) });
      const answers = all.map(({ call, key, for: length }) => {
        if (call === "block") return limiter.block("api", { key, for: length });
        if (call === "unblock") return limiter.unblock("api", { key });
        if (call === "endOverride") return limiter.endOverride("api", { key });
        return limiter.override("api", { key, rate: 20, for: length });
      });
      await scheduler.waitFor(Promise.all(answers));
      clock.advance(ms);
      const direct = new RateLimiter(LIMITS, { store });
      // A new entry removes those that are over.
      for (let nth = 0; nth < 3; nth++) direct.block("login", { key: `${nth}`, for: 1 });
      for (const key of ["a", "b"]) {
        const { blockedFor, overriddenFor = 0 } = direct.value("api", { key });
        const { exceptions } = direct.exceptions({ limit: "api", key });
        const types = exceptions.map(({ type }) => type);
        expect(types).toEqual([
          ...(blockedFor > 0 ? ["block"] : []),
          ...(overriddenFor > 0 ? ["override"] : []),
        ]);
      }
    }),
    { numRuns: runs(1500) },
  );
});

test("a register of a memory store drops the oldest entry beyond the maximum number of keys", () => {
  const limiter = new RateLimiter(LIMITS, { store: memoryStore({ maxKeys: 3, warn: () => {} }) });
  for (const key of ["d", "c", "b", "a"]) limiter.override("api", { key, rate: 20 });
  expect(limiter.exceptions().exceptions.map(({ key }) => key)).toEqual(["a", "b", "c"]);
});
