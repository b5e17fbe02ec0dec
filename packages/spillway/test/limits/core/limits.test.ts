/** Law 11: bad numbers are refused, and what is wrong is said helpfully. */
import { describe, expect, test } from "vitest";
import { RateLimiter, SpillwayError } from "../../../src/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { checkLimit, display, milliseconds, nearest } from "../../../src/limits/core/index.ts";

/** 142 418 such windows last 2⁵² ms. */
const yearly = { kind: "fixed window", rate: 1, period: "366d" } as const;
const good = { kind: "token bucket", rate: 10, period: 60_000 } as const;

function refusal(limit: unknown): SpillwayError {
  try {
    checkLimit("it", limit);
    planFor("it", limit);
  } catch (error) {
    if (error instanceof SpillwayError) return error;
  }
  throw new Error("the limit was accepted");
}

describe("a limit that is not one is refused", () => {
  test.each([
    ["bad-limit", undefined, undefined],
    ["bad-limit", undefined, null],
    ["bad-limit", undefined, [good]],
    ["bad-kind", "kind", {}],
    ["bad-kind", "kind", { ...good, kind: "constructor" }],
    ["bad-rate", "rate", { ...good, rate: NaN }],
    ["bad-rate", "rate", { ...good, rate: Infinity }],
    ["bad-rate", "rate", { ...good, rate: -1 }],
    ["bad-rate", "rate", { ...good, rate: 1.5 }],
    ["bad-rate", "rate", { ...good, rate: "10" }],
    ["bad-rate", "rate", { ...good, rate: 10n }],
    ["bad-rate", "rate", { ...good, rate: 1_000_000_001 }],
    ["bad-period", "period", { ...good, period: 0 }],
    ["bad-period", "period", { ...good, period: 0.5 }],
    ["bad-period", "period", { ...good, period: NaN }],
    ["bad-period", "period", { ...good, period: "1 minute" }],
    ["bad-period", "period", { ...good, period: "0s" }],
    ["bad-period", "period", { ...good, period: "367d" }],
    ["bad-period", "period", { ...good, period: 366 * 86_400_000 + 1 }],
    ["bad-capacity", "capacity", { ...good, capacity: -1 }],
    ["bad-capacity", "capacity", { ...good, capacity: NaN }],
    ["bad-capacity", "capacity", { ...good, capacity: 1_000_000_001 }],
    ["bad-capacity", "capacity", { ...good, rate: 0, capacity: 5 }],
    ["bad-capacity", "capacity", { kind: "sliding log", rate: 5, period: 1000, capacity: 6 }],
    ["bad-max-reserved", "maxReserved", { ...good, maxReserved: Infinity }],
    ["bad-max-reserved", "maxReserved", { ...good, maxReserved: -1 }],
    ["bad-start", "start", { ...good, kind: "fixed window", start: 0.5 }],
    ["bad-start", "start", { ...good, kind: "fixed window", start: NaN }],
    ["bad-start", "start", { ...good, kind: "fixed window", start: new Date() }],
    ["bad-start", "start", { ...good, kind: "fixed window", start: 9e15 }],
    ["unknown-field", "start", { ...good, start: 0 }],
    ["unknown-field", "maxReserved", { kind: "sliding log", rate: 5, period: 1, maxReserved: 5 }],
    ["inexact-limit", "rate", { ...good, rate: 999_999_937, period: "366d" }],
    ["inexact-limit", "maxReserved", { ...good, rate: 1, period: "365d", maxReserved: 10 ** 9 }],
    ["inexact-limit", "rate", { kind: "sliding window", rate: 10 ** 9, period: "366d" }],
    ["inexact-limit", "capacity", { ...yearly, capacity: 10 ** 9 }],
    ["inexact-limit", "capacity", { ...yearly, capacity: 142_419 }],
    ["inexact-limit", "maxReserved", { ...yearly, maxReserved: 142_418 }],
  ])("%s at %s, row %#", (code, field, limit) => {
    const error = refusal(limit);
    expect(error.code).toBe(code);
    expect(error.limit).toBe("it");
    if (field !== undefined) expect(error.field).toBe(field);
    expect(error.message).toContain('limit "it"');
  });

  test.each([
    [{ ...good, windowMs: 60_000 }, "Did you mean period?"],
    [{ ...good, burst: 20 }, "Did you mean capacity?"],
    [{ ...good, capcity: 20 }, "Did you mean capacity?"],
    [{ ...good, kind: "tokenbucket" }, 'Did you mean "token bucket"?'],
    [{ ...good, rate: 0.5 }, "not 0.5 a second, but 1 in two seconds"],
  ])("and the way out is named: %j", (limit, hint) => {
    expect(refusal(limit).message).toContain(hint);
  });
});

test("an error names the place, the value and what was expected", () => {
  expect(refusal({ ...good, period: "1 minute" }).message).toBe(
    'limit "it": period is "1 minute", expected whole milliseconds from 1 to 366 days, or text such as "10s", "1m", "12h", "30d"',
  );
});

test("the edges of what a limit may be are accepted", () => {
  const edges = {
    shortest: { kind: "token bucket", rate: 1_000_000_000, period: 1 },
    longest: { kind: "fixed window", rate: 1_000_000_000, period: "366d" },
    nothing: { kind: "token bucket", rate: 0, period: 1000 },
    reserved: { kind: "leaky bucket", rate: 1, period: 1000, capacity: 0, maxReserved: 0 },
    fast: { kind: "token bucket", rate: 1_000_000, period: "1d", capacity: 1_000_000_000 },
    yearly: { kind: "token bucket", rate: 1, period: "366d", capacity: 100_000 },
  } as const;
  const limiter = new RateLimiter(edges);
  expect(limiter.limit("shortest", { count: 1_000_000_000 }).ok).toBe(true);
  expect(limiter.limit("longest", { count: 1_000_000_000 }).remaining).toBe(0);
  expect(limiter.limit("nothing")).toMatchObject({ ok: false, retryAfter: Infinity });
  expect(limiter.limit("reserved")).toMatchObject({ ok: false, reason: "too large" });
  expect(limiter.limit("fast", { count: 1_000_000_000 }).resetAfter).toBe(86_400_000_000);
  expect(limiter.limit("yearly", { count: 100_000 }).resetAfter).toBe(366 * 86_400_000 * 100_000);
});

test("durations are milliseconds or a number with a unit", () => {
  expect(["1ms", "10s", "1m", "12h", "30d", 5].map(milliseconds)).toEqual([
    1, 10_000, 60_000, 43_200_000, 2_592_000_000, 5,
  ]);
  const none = [
    "",
    "s",
    "1",
    "1w",
    "-1s",
    "1.5s",
    "1e3s",
    " 1s",
    "1s ",
    "999999999999999999d",
    {},
    null,
  ];
  for (const text of none) expect(milliseconds(text)).toBeUndefined();
});

test("what a message shows is short and safe", () => {
  expect(display("x".repeat(1_000_000))).toHaveLength(84);
  expect(display('a"\0\ud800')).toBe('"a\\"\\u{0}\\u{d800}"');
  const shown = [null, undefined, NaN, 5n, Symbol("s"), () => 1, [], {}].map(display);
  expect(shown).toEqual([
    "null",
    "undefined",
    "NaN",
    "5n",
    "a symbol",
    "a function",
    "an empty array",
    "an object",
  ]);
});

test("a suggestion is near, or there is none", () => {
  expect(nearest("sendMesage", ["sendMessage", "search"])).toBe("sendMessage");
  expect(nearest("serach", ["sendMessage", "search"])).toBe("search");
  expect(nearest("cuont", ["count", "key"])).toBe("count");
  expect(nearest("zebra", ["sendMessage", "search"])).toBeUndefined();
  expect(nearest("x".repeat(1_000_000), ["sendMessage"])).toBeUndefined();
});
