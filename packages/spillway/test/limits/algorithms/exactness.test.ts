/** The arithmetic beside models of it in big integers, which cannot round. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digest } from "../../../src/internal/digest.ts";
import { digestUtf8 } from "../../../src/internal/digest-utf8.ts";
import { sha256, sha256OfBytes } from "../../../src/internal/sha256.ts";
import { anchorOf } from "../../../src/limits/algorithms/anchor.ts";
import { EXACT, planFor } from "../../../src/limits/algorithms/index.ts";
import {
  type FixedWindow,
  type Limit,
  LONGEST_TIMER,
  MOST_UNITS,
} from "../../../src/limits/core/index.ts";
import { bench, fitted, limitOf, steps } from "../../laws/arbitrary.ts";
import { runs } from "../../runs.ts";

/** More than was estimated, again and again. */
const MOST = { reserved: 0, used: MOST_UNITS };

const min = (a: bigint, b: bigint) => (a < b ? a : b);

test("a token bucket answers as one whose units are fractions of period", () => {
  fc.assert(
    fc.property(limitOf("token bucket"), steps, (limit, asks) => {
      const { limiter, clock, plan } = bench(limit);
      const unit = BigInt(plan.period);
      const full = BigInt(plan.capacity) * unit;
      let content = full;
      for (const step of asks) {
        const { ms, ask } = fitted(step, plan);
        clock.advance(ms);
        content = min(full, content + BigInt(ms) * BigInt(plan.rate));
        const inTime = BigInt(LONGEST_TIMER) * BigInt(plan.rate);
        const debt = plan.maxReserved < Infinity ? BigInt(plan.maxReserved) * unit : inTime;
        const floor = ask.reserve ? -debt : 0n;
        const fits = content - BigInt(ask.count || 1) * unit >= floor;
        if (fits) content -= BigInt(ask.count) * unit;
        const remaining = content > 0n ? Number(content / unit) : 0;
        expect(limiter.limit("it", ask)).toMatchObject({ ok: fits, remaining });
      }
    }),
    { numRuns: runs(500) },
  );
});

test("a fixed window answers with the wait of as many windows as it takes", () => {
  const limits = fc.tuple(limitOf("fixed window"), fc.boolean()).map(([limit, isBounded]) => {
    const { maxReserved, ...unbounded } = limit as FixedWindow;
    return isBounded ? limit : unbounded;
  });
  fc.assert(
    fc.property(limits, fc.boolean(), (drawn, settles) => {
      const { limiter, clock, plan } = bench({ start: 0, ...drawn } as Limit);
      const most = { key: "k", count: plan.largestReserved, reserve: true };
      const answer = limiter.limit("it", most);
      if (settles) for (let i = 0; i < 3; i++) limiter.settle("it", { key: "k", ...MOST });
      const { retryAfter, resetAfter } = limiter.check("it", { key: "k", count: plan.capacity });
      const into = (((clock() - (plan.start ?? 0)) % plan.period) + plan.period) % plan.period;
      const waitFor = (units: number) => {
        const windows = (BigInt(units) + BigInt(plan.rate) - 1n) / BigInt(plan.rate);
        return Number(windows * BigInt(plan.period) - BigInt(into));
      };
      if (most.count > plan.capacity)
        expect(answer.retryAfter).toBe(waitFor(most.count - plan.capacity));
      expect(answer.resetAfter).toBe(waitFor(most.count));
      expect(Number.isSafeInteger(clock() + resetAfter)).toBe(true);
      expect(retryAfter).toBe(resetAfter);
    }),
    { numRuns: runs(500) },
  );
});

test("division is exact up to the largest numbers allowed", () => {
  const near = fc.integer({ min: 0, max: 1000 }).map((off) => EXACT * 2 - 1 - off);
  fc.assert(
    fc.property(near, fc.integer({ min: 1, max: 2 ** 31 }), (ticks, refillPerMs) => {
      const [whole, rest] = [
        BigInt(ticks) / BigInt(refillPerMs),
        BigInt(ticks) % BigInt(refillPerMs),
      ];
      expect(BigInt(Math.floor(ticks / refillPerMs))).toBe(whole);
      expect(BigInt(Math.ceil(ticks / refillPerMs))).toBe(rest === 0n ? whole : whole + 1n);
    }),
    { numRuns: runs(5000) },
  );
});

describe.each([
  ["of the runtime", digest],
  ["of this library", sha256],
])("the digest %s", (_, digestOf) => {
  test("is SHA-256 over UTF-16LE", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200, size: "max" });
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 70 }), (all, more) => {
        // One unit after the other, halves of surrogate pairs included.
        const text = String.fromCharCode(...all) + "x".repeat(more);
        const bytes = Buffer.from(text, "utf16le");
        expect(digestOf(text)).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
      { numRuns: runs(500) },
    );
  });

  test("is the same for texts of a million units", () => {
    const text = "\u{1f600}".repeat(500_000);
    const bytes = Buffer.from(text, "utf16le");
    expect(digestOf(text)).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});

test.each([
  ["of the runtime", digestUtf8],
  ["of this library", (text: string) => sha256OfBytes(new TextEncoder().encode(text))],
])("the digest over UTF-8 %s is that of node:crypto", (_, digestOf) => {
  const expected = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
  // Lengths around the ends of blocks, of characters of one to four bytes.
  for (const character of ["a", "é", "€", "😀"]) {
    for (let length = 0; length < 140; length++) {
      const text = character.repeat(length);
      expect(digestOf(text)).toBe(expected(text));
    }
  }
  const text = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(text, (text) => {
      expect(digestOf(text)).toBe(expected(text));
    }),
    { numRuns: runs(300) },
  );
});

test("windows begin at places spread evenly over the period", () => {
  const plan = planFor("it", { kind: "fixed window", rate: 1, period: 1000 });
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const tenth = Math.floor(anchorOf({ plan, key: `user ${i}` }) / 100);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
