/** What a route can't say, and what a guard does that no adapter shows. */
import { expect, test } from "vitest";
import { MINUTE, RateLimiter, type SpillwayError } from "../../src/index.ts";
import { type AnyLimiter, Guard, type RouteLimits } from "../../src/middleware/guard/index.ts";

const limiter = new RateLimiter({
  search: { kind: "token bucket", rate: 3, period: MINUTE },
  log: { kind: "sliding log", rate: 3, period: MINUTE },
  jobs: { kind: "concurrency", capacity: 3, ttl: MINUTE },
}) as unknown as AnyLimiter;

const reader = { method: () => "GET", header: () => undefined, peer: () => "203.0.113.7" };

const guardOf = (route: object) => new Guard(limiter, route as RouteLimits<object>, reader);

function errorOf(route: object): Partial<SpillwayError> {
  try {
    guardOf(route);
  } catch (error) {
    return error as SpillwayError;
  }
  return {};
}

test.each([
  [{ limit: "serch" }, "unknown-limit", "limit"],
  [{ limits: [{ limit: "search" }, { limit: "serch" }] }, "unknown-limit", "limit"],
  [{ limits: "search" }, "bad-option", "limits"],
  [{ limit: "search", cost: 2 }, "unknown-field", "cost"],
  [{ limits: [{ limit: "search", skip: () => true }] }, "unknown-field", "skip"],
  [{ limit: "search", settle: 3 }, "bad-option", "settle"],
  [{ limit: "search", skip: true }, "bad-option", "skip"],
  [{ limit: "search", shadow: "yes" }, "bad-option", "shadow"],
  [{ limit: "search", whenFailed: "local" }, "bad-option", "whenFailed"],
  [{ limit: "search", timeout: 0 }, "bad-option", "timeout"],
  [{ limit: "search", wait: -1 }, "bad-option", "wait"],
  [{ limit: "search", jitter: -1 }, "bad-jitter", "jitter"],
  [{ limit: "search", jitter: Infinity }, "bad-jitter", "jitter"],
  [{ limit: "search", jitter: "1s" }, "bad-jitter", "jitter"],
  [{ limit: "search", reserve: "yes" }, "bad-option", "reserve"],
  [{ limit: "log", reserve: true }, "no-reservations", "reserve"],
  [
    { limits: [{ limit: "search" }, { limit: "jobs", reserve: true }] },
    "no-reservations",
    "reserve",
  ],
  [
    {
      limit: "it",
      config: { kind: "sliding window", rate: 1, period: MINUTE },
      reserve: true,
    },
    "no-reservations",
    "reserve",
  ],
  [{ limit: "search", headers: "draft-7" }, "bad-option", "headers"],
  [{ limit: "search", shedder: {} }, "bad-option", "shedder"],
  [{ limit: "search", ipv6Prefix: 65 }, "bad-option", "ipv6Prefix"],
  [{ limit: "search", trust: true }, "bad-option", "trust"],
  [{ limit: "search", trust: 0 }, "bad-option", "trust"],
  [{ limit: "search", trust: ["10.0.0.0/33"] }, "bad-option", "trust"],
  [{ limit: "search", trust: { header: "CF-Connecting-IP" } }, "bad-option", "trust"],
] as const)("refuses the route %j", (route, code, field) => {
  expect(errorOf(route)).toMatchObject({ code, field });
});

test("answers at once where all that it calls does", () => {
  expect(guardOf({ limit: "search" }).enter({})).not.toBeInstanceOf(Promise);
});

test("gives back a lease where what comes after it fails", async () => {
  const leases = new RateLimiter({ it: { kind: "concurrency", capacity: 1, ttl: MINUTE } });
  const header = () => {
    throw new Error("the request can't be read");
  };
  const route = { limit: "it", key: "k", onEvent: () => {} };
  const guard = new Guard<object>(leases as unknown as AnyLimiter, route, { ...reader, header });
  expect((await guard.enter({})).refusal?.status).toBe(500);
  expect(leases.value("it", { key: "k" }).remaining).toBe(1);
});

test("waits for what was really used no longer than its `timeout`", async () => {
  const heard = Promise.withResolvers<unknown>();
  const settle = () => new Promise<never>(() => {});
  const route = { limit: "search", key: "settled", settle, timeout: 5, onEvent: heard.resolve };
  const passage = await guardOf(route).enter({});
  passage.over({ status: 200, finished: true });
  expect(await heard.promise).toMatchObject({ type: "not settled", error: { field: "settle" } });
});

test("a skip that is truthy and not true limits, and is warned of once", async () => {
  const warnings: string[] = [];
  const limit = {
    limit: "search",
    key: "skipped",
    skip: () => 1,
    warn: (one: string) => warnings.push(one),
  };
  const guard = guardOf(limit);
  for (let n = 0; n < 2; n++) expect((await guard.enter({})).decision?.ok).toBe(true);
  expect(warnings).toEqual([expect.stringContaining("is not true: the request is limited")]);
});
