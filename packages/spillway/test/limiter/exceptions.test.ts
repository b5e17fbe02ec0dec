/** `exceptions` and reasons: what is refused, and stores that lack or wrap a register. */
import { expect, test } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import type { Command } from "../../src/limits/core/index.ts";
import { resilient } from "../../src/stores/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { fresh } from "../fresh.ts";
import { later } from "./later.ts";

const LIMITS = {
  api: { kind: "token bucket", rate: 10, period: "1m" },
  login: { kind: "fixed window", rate: 5, period: "15m" },
} as const;
const key = "k";

test.each([[1], [""], ["x".repeat(201)], ["line\nfeed"], ["\u0085"], ["half \ud800"], [null]])(
  "a reason %j is refused before anything is blocked",
  (reason) => {
    const { limiter } = fresh(LIMITS);
    const options = { key, for: 1000, reason: reason as string };
    expect(() => limiter.block("api", options)).toThrow(
      expect.objectContaining({ code: "bad-block", field: "reason", limit: "api" }),
    );
    expect(() => limiter.override("api", { ...options, rate: 5 })).toThrow(
      expect.objectContaining({ code: "bad-override", field: "reason" }),
    );
    const { blockedFor, overriddenFor } = limiter.value("api", { key });
    expect([blockedFor, overriddenFor]).toEqual([0, undefined]);
    expect(limiter.exceptions().exceptions).toEqual([]);
  },
);

test.each([
  [{ most: 0 }, "bad-option", "most"],
  [{ most: 1001 }, "bad-option", "most"],
  [{ most: 1.5 }, "bad-option", "most"],
  [{ after: "a cursor" }, "bad-option", "after"],
  [{ after: 5 }, "bad-option", "after"],
  [{ key }, "bad-option", "limit"],
  [{ config: LIMITS.api }, "bad-option", "limit"],
  [{ limit: "api", key: undefined }, "bad-key", "key"],
  [{ limit: "apis" }, "unknown-limit", undefined],
  [{ count: 5 }, "unknown-field", "count"],
  [5, "bad-ask", "options"],
])("options %j are refused with %s", (options, code, field) => {
  const { limiter } = fresh(LIMITS);
  expect(() => limiter.exceptions(options as object)).toThrow(
    expect.objectContaining({ code, ...(field !== undefined && { field }) }),
  );
});

test("a page of a limit goes on after a cursor of another limit, or before it", () => {
  const { limiter } = fresh(LIMITS);
  for (const limit of ["api", "login"] as const) limiter.block(limit, { key, for: 1000 });
  const all = limiter.exceptions({ most: 1 });
  expect(all.next).toBeTypeOf("string");
  expect(limiter.exceptions({ limit: "login", after: all.next }).exceptions).toHaveLength(1);
  expect(limiter.exceptions({ limit: "api", after: all.next }).exceptions).toEqual([]);
});

test("limits that are not defined here are listed only with their config", () => {
  const store = memoryStore({ clock: manualClock() });
  const limiter = new RateLimiter(LIMITS, { store });
  const config = { kind: "token bucket", rate: 5, period: "1h" } as const;
  limiter.block("trial", { key, for: 1000, config, reason: "abuse" });
  limiter.block("login", { key: "x".repeat(300), for: 1000 });
  expect(limiter.exceptions().exceptions).toMatchObject([{ limit: "login" }]);
  const { exceptions } = limiter.exceptions({ limit: "trial", config });
  expect(exceptions).toMatchObject([{ limit: "trial", key, reason: "abuse" }]);
  const long = limiter.exceptions({ limit: "login", key: "x".repeat(300) }).exceptions;
  expect(long).toMatchObject([{ key: expect.stringMatching(/^sha256:/) }]);
});

test("calls that are reported, and limits that are off, have exceptions", () => {
  const { limiter } = fresh(LIMITS, { onCall: () => {} });
  limiter.block("api", { key, for: 1000, reason: "scraping" });
  limiter.setMode("off");
  expect(limiter.exceptions().exceptions).toMatchObject([{ limit: "api", reason: "scraping" }]);
});

test("a store without a register blocks without a reason only", async () => {
  const limiter = new RateLimiter(LIMITS, { store: later(memoryStore()) });
  const lacking = expect.objectContaining({ code: "no-register" });
  expect(() => limiter.exceptions()).toThrow(lacking);
  expect(() => limiter.block("api", { key, for: 1000, reason: "scraping" })).toThrow(lacking);
  await limiter.block("api", { key, for: 1000 });
  expect(await limiter.limit("api", { key })).toMatchObject({ reason: "blocked" });
  await limiter.unblock("api", { key });
});

/** An executor whose register fails in one way. */
function failing(register: () => Promise<never>) {
  const memory = memoryStore();
  return {
    timing: "later",
    name: "far",
    execute: async (commands: readonly Command[]) =>
      commands.map((command) => ({ answer: memory.execute(command) as unknown })),
    register,
  } as const;
}

test.each([
  ["rejects", () => Promise.reject(new Error("the disk is full")), "the disk is full"],
  [
    "throws",
    () => {
      throw new Error("no connection");
    },
    "no connection",
  ],
  ["never answers", () => new Promise<never>(() => {}), "no answer within 5 ms"],
])("nobody is blocked if the register %s", async (_, register, message) => {
  const options = { deadline: 5, firstDeadline: 5, onEvent: () => {} };
  const limiter = new RateLimiter(LIMITS, { store: resilient(failing(register), options) });
  for (const call of [
    () => limiter.block("api", { key, for: 1000, reason: "scraping" }),
    () => limiter.unblock("api", { key }),
    () => limiter.exceptions(),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: "unavailable", value: message });
  }
});
