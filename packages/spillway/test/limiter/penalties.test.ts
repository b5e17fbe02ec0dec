/** Limits with `penalty`: what is refused by name; modes, headers and pages. */
import { describe, expect, test } from "vitest";
import { problemOf } from "../../src/http/headers/index.ts";
import { valueSnapshot, valueSource } from "../../src/http/value/index.ts";
import { type Limits, RateLimitError, RateLimiter, SpillwayError } from "../../src/index.ts";
import type { Penalty, Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";

const key = "k";
const penalty: Penalty = { after: 2, within: "5m", block: "1m", most: "1h" };
const base = { kind: "token bucket", rate: 5, period: "1m" } as const;
const login = { ...base, penalty };

/** Returns the code and the field of what a limiter of one limit throws. */
function misuse(limit: object, store: Store<"now"> = memoryStore()) {
  try {
    new RateLimiter({ login: limit } as Limits, { store, warn: () => {} });
  } catch (error) {
    if (error instanceof SpillwayError) return `${error.code} ${error.field}`;
  }
  return "none";
}

function scene(limits: Limits = { login }) {
  const clock = manualClock();
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock }), warn: () => {} });
  const refuse = (times: number) => {
    for (let left = times; left > 0; left--) limiter.limit("login", { key, count: 9 });
  };
  return { clock, limiter, refuse };
}

describe("a penalty that can't be carried out is refused by name", () => {
  const DAY = 24 * 3_600_000;
  test.each<[string, object]>([
    ["none", penalty],
    ["none", { after: 1_000_000, within: 366 * DAY, block: 1, most: 1 }],
    ["bad-penalty penalty.0", [3]],
    ["bad-penalty penalty.after", null as never],
    ["bad-penalty penalty.after", { ...penalty, after: 0 }],
    ["bad-penalty penalty.after", { ...penalty, after: 1.5 }],
    ["bad-penalty penalty.after", { ...penalty, after: "3" }],
    ["bad-penalty penalty.after", { ...penalty, after: 1_000_001 }],
    ["bad-penalty penalty.after", {}],
    ["bad-penalty penalty.within", { ...penalty, within: 0 }],
    ["bad-penalty penalty.within", { ...penalty, within: Number.NaN }],
    ["bad-penalty penalty.block", { ...penalty, block: "1 minute" }],
    ["bad-penalty penalty.block", { ...penalty, block: "367d" }],
    ["bad-penalty penalty.most", { ...penalty, most: undefined }],
    ["bad-penalty penalty.most", { ...penalty, most: 59_999 }],
    ["bad-penalty penalty.blok", { ...penalty, blok: 1 }],
  ])("%s: %j", (expected, given) => {
    expect(misuse({ ...base, penalty: given })).toBe(expected);
  });

  test.each<[string, object]>([
    ["no-penalties kind", { kind: "concurrency", capacity: 3, ttl: "1m", penalty }],
    ["no-penalties share", { ...login, share: "1s" }],
    ["no-penalties shards", { ...login, shards: 2 }],
    ["none", { ...login, shards: 1 }],
  ])("%s: %j", (expected, limit) => {
    expect(misuse(limit)).toBe(expected);
  });

  test("over a store that counts no refusals, at the start, in `update` and in `config`", () => {
    const { execute } = memoryStore();
    const store: Store<"now"> = { timing: "now", execute };
    expect(misuse(login, store)).toBe("no-penalties store.penalties");
    const limiter = new RateLimiter<Limits>({ login: base }, { store });
    expect(() => limiter.update({ login })).toThrow("store.penalties");
    expect(() => limiter.limit("login", { config: login })).toThrow("store.penalties");
    expect(limiter.limits).toEqual({ login: base });
  });

  test("with a hint", () => {
    const limits = { login: { ...base, penalty: { ...penalty, after: 0 } } };
    expect(() => new RateLimiter(limits)).toThrow(
      'limit "login": penalty.after is 0, expected a whole number from 1 to 1000000. ' +
        'A penalty is { after: 10, within: "5m", block: "1m", most: "1h" }',
    );
  });
});

test("a penalty may come and go with `update`, and with `config`", () => {
  const { limiter, refuse } = scene({ login: base });
  refuse(9);
  limiter.update({ login });
  refuse(1);
  expect(limiter.limit("login", { key }).ok).toBe(true);
  limiter.limit("login", { key, count: 9, config: login });
  expect(limiter.limit("login", { key })).toMatchObject({ ok: false, reason: "penalized" });
  limiter.update({ login: base });
  expect(limiter.limit("login", { key })).toMatchObject({ ok: false, reason: "penalized" });
});

test("the definition is read once", () => {
  const given = { ...penalty };
  const { limiter, refuse } = scene({ login: { ...base, penalty: given } });
  Object.assign(given, { after: 100 });
  refuse(2);
  expect(limiter.check("login", { key }).reason).toBe("penalized");
});

test("in shadow mode a penalty is told and not enforced, and off counts nothing", () => {
  const { limiter, refuse } = scene({ login: { ...login, mode: "shadow" } });
  refuse(1);
  const { ok, shadowed } = limiter.limit("login", { key, count: 9 });
  expect(ok).toBe(true);
  expect(shadowed).toMatchObject({ ok: false, reason: "penalized" });
  limiter.unblock("login", { key });
  limiter.setMode("off");
  refuse(9);
  limiter.setMode("shadow");
  refuse(1);
  expect(limiter.limit("login", { key }).shadowed).toBeUndefined();
});

test("a reservation that is refused counts", () => {
  const { limiter } = scene({ login: { ...login, maxReserved: 0 } });
  for (const reason of [undefined, "limited", "penalized"]) {
    const ask = { key, count: 5, reserve: true } as const;
    expect(limiter.limit("login", ask).reason).toBe(reason);
  }
});

test("a penalty that is thrown is 429, and a problem of abnormal usage", () => {
  const { limiter, refuse } = scene();
  refuse(2);
  const thrown = new RateLimitError(limiter.limit("login", { key }));
  expect(thrown).toMatchObject({ code: "limited", status: 429, headers: { "Retry-After": "60" } });
  expect(thrown.message).toContain("refused (penalized): try again in 60000 ms");
  const { type, status } = problemOf({ reason: "penalized", retryAfter: 60, policies: ["login"] });
  expect({ type, status }).toEqual({
    type: "https://iana.org/assignments/http-problem-types#abnormal-usage-detected",
    status: 429,
  });
});

test.each([login, { ...login, kind: "sliding log" } as const])(
  "a page counts down a penalty: %j",
  async (limit) => {
    const { limiter, refuse } = scene({ login: limit });
    refuse(2);
    const time = new VirtualScheduler();
    const initial = JSON.parse(
      JSON.stringify(await valueSnapshot(limiter, { limit: "login", key })),
    );
    expect(initial).toMatchObject({ blockedFor: 60_000, penalized: true });
    const source = valueSource("/", { initial, scheduler: time });
    const view = { ok: false, reason: "penalized", retryAfter: 60_000, remaining: 0 };
    expect(source.view(1)).toMatchObject(view);
  },
);
