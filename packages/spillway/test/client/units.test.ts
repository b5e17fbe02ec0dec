/** The parts of which an account of tokens is made: what is predicted, how units come back, what is estimated. */
import { describe, expect, test } from "vitest";
import { llmTokens } from "../../src/client/index.ts";
import { countOf, countsOf } from "../../src/client/units/counts.ts";
import { MeanUnits } from "../../src/client/units/mean-units.ts";
import { QuotaTracker } from "../../src/client/units/quota-tracker.ts";
import { RefillRate } from "../../src/client/units/refill.ts";

const SURE = { above: 0, below: 0, most: 1 };
const REFILL = { rate: 1, capacity: 100_000 };

/** Others use half a unit a millisecond; every 100 ms an answer says what is left. */
function shared(until: number): QuotaTracker {
  const track = new QuotaTracker(5000, 0);
  for (let now = 100; now <= until; now += 100) {
    track.pass(now, REFILL);
    track.correct(5000 + now * 0.5, track.mark, SURE);
  }
  return track;
}

describe("a track", () => {
  test("finds out what others use", () => {
    const track = shared(20_000);
    expect(track.others).toBeCloseTo(0.5, 1);
    track.pass(21_000, REFILL);
    expect(Math.abs(track.left - 15_500)).toBeLessThan(50);
  });

  test("forgets it where nothing is heard for long", () => {
    const track = shared(10_000);
    for (let now = 10_000; now <= 200_000; now += 1000) track.pass(now, REFILL);
    expect(track.others).toBeLessThan(0.01);
  });

  test("is set right by late answers as of when their requests were sent", () => {
    const track = new QuotaTracker(5000, 0);
    track.use(100);
    const { mark } = track;
    track.use(4000);
    track.correct(4900, mark, SURE);
    expect(track.left).toBe(900);
    track.correct(4800, mark, SURE);
    expect(track.left).toBe(800);
  });

  test("is not set right by what is older than what it knows, or within what is in doubt", () => {
    const track = new QuotaTracker(5000, 0);
    const { mark } = track;
    track.pass(1000, REFILL);
    track.correct(3000, track.mark, SURE);
    track.correct(9000, mark, SURE);
    expect(track.left).toBe(3000);
    track.correct(3100, track.mark, { ...SURE, above: 100 });
    expect(track.left).toBe(3000);
    track.correct(2900, track.mark, { ...SURE, below: 100 });
    expect(track.left).toBe(3000);
  });
});

const said = (remaining: number, resetAfter: number) => ({
  name: "tokens",
  unit: "tokens",
  capacity: 6000,
  period: undefined,
  remaining,
  resetAfter,
  resolution: 1,
});

describe("a refill", () => {
  test.each([
    ["in order", [5000, 4000, 3000, 2000]],
    ["in any order", [3000, 5000, 2000, 4000]],
  ])("comes bit by bit where less takes longer, %s", (_, lefts) => {
    const refill = new RefillRate();
    for (const left of lefts) refill.learn(said(left, (6000 - left) * 10));
    expect(refill.isRolling).toBe(true);
    expect(refill.rate).toBeCloseTo(0.1, 3);
  });

  test("comes all at once where less is left and it takes less long", () => {
    const refill = new RefillRate();
    for (const left of [5000, 4000, 3000, 6000, 5000]) refill.learn(said(left, left * 10));
    expect(refill.isRolling).toBe(false);
    expect(refill.average).toBe(0.1);
  });

  test("is that of the last answers where the limit has changed", () => {
    const refill = new RefillRate();
    for (const left of [5000, 4000, 3000, 2000]) refill.learn(said(left, (6000 - left) * 10));
    refill.learn(said(2000, 4000 * 5));
    expect(refill.rate).toBeCloseTo(0.2, 3);
  });
});

describe("an estimate of tokens", () => {
  const of = (body: unknown) =>
    llmTokens({ body: typeof body === "object" ? JSON.stringify(body) : body });
  const text = "x".repeat(400);

  test.each([
    ["max_tokens", { max_tokens: 300, messages: [{ content: text }] }],
    ["max_completion_tokens", { max_completion_tokens: 300, messages: [{ content: text }] }],
    ["max_output_tokens", { max_output_tokens: 300, input: text }],
  ])("takes %s for the answer", (_, body) => {
    expect(of(body)).toEqual({ tokens: 400, "input-tokens": 100, "output-tokens": 300 });
  });

  test("takes 500 for an answer without a bound, and 1000 for an image", () => {
    const image = { url: `data:image/png;base64,${"A".repeat(100_000)}` };
    const source = { data: "A".repeat(100_000) };
    expect(of({ input: [image] })).toMatchObject({ "input-tokens": 1000, "output-tokens": 500 });
    expect(of({ messages: [{ source }] })).toMatchObject({ "input-tokens": 1000 });
  });

  test.each(["", "no JSON", "9", undefined])("is none of %j", (body) => {
    expect(of(body)).toBeUndefined();
  });

  test("is bounded, whatever is asked for, and however deep it lies", () => {
    expect(of({ max_tokens: 1e300 })?.tokens).toBe(1e8);
    expect(of({ max_tokens: -5 })?.tokens).toBe(0);
    expect(of(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)?.tokens).toBe(500);
  });
});

describe("counts", () => {
  const request = {} as never;

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "of a unit that a server calls %s are none, where nobody says",
    (unit) => {
      expect(countOf({ tokens: 5 }, unit)).toBeUndefined();
    },
  );

  test("are those of when they were said, whatever becomes of the object", () => {
    const reused = { tokens: 5 };
    const counts = countsOf(() => reused, request);
    reused.tokens = 7;
    expect(counts).toEqual({ tokens: 5 });
    const own = countsOf(reused, request);
    reused.tokens = 9;
    expect(own).toEqual({ tokens: 7 });
  });
});

describe("means", () => {
  test("follow what requests use", () => {
    const means = new MeanUnits();
    means.learn("tokens", 100);
    expect(means.of("tokens")).toBe(100);
    for (let n = 0; n < 100; n++) means.learn("tokens", 0);
    expect(means.of("tokens")).toBeLessThan(0.01);
  });

  test("are not kept of units that a server makes up", () => {
    const means = new MeanUnits();
    for (let n = 0; n < 1000; n++) means.learn(`unit ${n}`, 0);
    expect(means.size).toBe(0);
  });
});
