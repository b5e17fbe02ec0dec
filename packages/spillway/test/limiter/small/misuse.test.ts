/** Misuse of a small limiter: the codes of a whole one, without its texts. */
import { describe, expect, test } from "vitest";
import { type Limit, RateLimiter, SpillwayError } from "../../../src/index.ts";
import { CodedError, limiter, type SmallLimit } from "../../../src/limiter/small/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { SMALL_KINDS, smallOf } from "./scene.ts";

/** Fields of a limit, each with values of which most are wrong for some kind. */
const FIELDS: readonly (readonly [field: string, values: readonly unknown[]])[] = [
  ["rate", [0, 1, 1e9, 1e9 + 1, -1, 0.5, Number.NaN, "1", undefined, null]],
  ["period", [1, "1m", 0, -1, 1.5, "1 m", "367d", Number.NaN, undefined, null]],
  ["capacity", [0, 1, 2, 1e9, 1e9 + 1, -1, 0.5, Number.NaN, "1", null, undefined]],
  ["maxReserved", [0, 1, 1e9, 1e9 + 1, -1, 0.5, Number.NaN, "1", null, undefined]],
  ["start", [0, 8.64e15, 8.64e15 + 2, 0.5, Number.NaN, "0", new Date(0), null, undefined]],
  ["burst", [1]],
];

const RATES = [0, 1, 7, 1e9];
const PERIODS = [1, 7, "366d"];

function problemOf(call: () => unknown) {
  try {
    call();
    return undefined;
  } catch (error) {
    expect(error instanceof SpillwayError || error instanceof CodedError).toBe(true);
    const { code, limit, field } = error as SpillwayError;
    return { code, limit, field };
  }
}

describe.each(SMALL_KINDS)("a %s", (kind) => {
  const cases = FIELDS.flatMap(([field, values]) =>
    RATES.flatMap((rate) =>
      PERIODS.flatMap((period) => values.map((value) => ({ kind, rate, period, [field]: value }))),
    ),
  );

  test(`is refused by the code of a whole limiter, or accepted, in ${cases.length} cases`, () => {
    for (const limit of cases as readonly object[] as readonly Limit[]) {
      const store = memoryStore();
      const whole = problemOf(() => new RateLimiter({ ask: limit }, { store, warn: () => {} }));
      const small = problemOf(() => limiter({ ask: smallOf(limit) }));
      expect({ limit, ...small }).toEqual({ limit, ...whole });
    }
  });
});

describe("a call", () => {
  const bucket = smallOf({ kind: "token bucket", rate: 3, period: "1m" });
  const log = smallOf({ kind: "sliding log", rate: 3, period: "1m" });
  const fresh = () => limiter({ bucket, log }, { clock: manualClock() });
  type Loose = (limit: string, options?: unknown) => unknown;

  test.each([
    ["an unknown limit", "none", undefined, "unknown-limit", "limit"],
    ["a count below 0", "bucket", { count: -1 }, "bad-count", "count"],
    ["a count of a half", "bucket", { count: 0.5 }, "bad-count", "count"],
    ["a count that is no number", "bucket", { count: Number.NaN }, "bad-count", "count"],
    ["a count beyond what is exact", "bucket", { count: 2 ** 53 }, "bad-count", "count"],
    ["a count as text", "bucket", { count: "1" }, "bad-count", "count"],
    ["an undefined key", "bucket", { key: undefined }, "bad-key", "key"],
    ["a key that is a number", "bucket", { key: 7 }, "bad-key", "key"],
    ["a misspelt option", "bucket", { cost: 2 }, "unknown-field", "cost"],
    ["reserve as text", "bucket", { reserve: "yes" }, "bad-option", "reserve"],
    ["reserving from a log", "log", { reserve: true }, "no-reservations", "reserve"],
    ["options that are none", "bucket", "user 7", "bad-ask", "options"],
    ["options that are null", "bucket", null, "bad-ask", "options"],
  ])("with %s is refused, and takes nothing", (_, limit, options, code, field) => {
    const limits = fresh();
    for (const call of ["limit", "check"] as const) {
      const loose = limits[call].bind(limits) as Loose;
      expect(() => loose(limit, options)).toThrowError(expect.objectContaining({ code, field }));
    }
    expect(limits.value("bucket").remaining).toBe(3);
    expect(limits.stats().keys).toBe(0);
  });

  test("names no key and no value in its message", () => {
    const call = () => fresh().limit("bucket", { count: -1, key: "ada@example.com" });
    expect(call).toThrowError(/^bad-count: limit "bucket", count$/);
  });

  test("to block needs a time", () => {
    const block = fresh();
    const wrong = { key: "k", for: 0 };
    expect(() => block.block("bucket", wrong)).toThrowError(/^bad-block: limit "bucket", for$/);
  });
});

test.each([
  ["maxKeys", 0, "bad-max-keys"],
  ["maxKeys", 1.5, "bad-max-keys"],
  ["clock", 7, "bad-clock"],
  ["clock", () => 0.5, "bad-clock"],
])("the option %s can't be %s", (field, value, code) => {
  const create = () => limiter({}, { [field]: value });
  expect(create).toThrowError(expect.objectContaining({ code, field }));
});

test.each([undefined, null, 7, {}, { kind: "none" }, { kind: "token bucket", fields: [] }])(
  "%j is no limit",
  (limit) => {
    const create = () => limiter({ ask: limit as SmallLimit });
    expect(create).toThrowError(/^bad-limit: limit "ask", the limit$/);
  },
);
