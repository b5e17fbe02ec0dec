/** The arithmetic beside models of it in big integers, which cannot round. */

import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anchorOf } from "../../src/algorithms/anchor.ts";
import { EXACT, planFor } from "../../src/algorithms/index.ts";
import { sha256 } from "../../src/limiter/sha256.ts";
import { bench, fitted, limitOf, steps } from "../laws/arbitrary.ts";

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
        const floor = ask.reserve ? -BigInt(Math.min(plan.maxReserved, 10 ** 12)) * unit : 0n;
        const fits = content - BigInt(ask.count || 1) * unit >= floor;
        if (fits) content -= BigInt(ask.count) * unit;
        const remaining = content > 0n ? Number(content / unit) : 0;
        expect(limiter.limit("it", ask)).toMatchObject({ ok: fits, remaining });
      }
    }),
    { numRuns: 500 },
  );
});

test("division is exact up to the largest numbers allowed", () => {
  const near = fc.integer({ min: 0, max: 1000 }).map((off) => EXACT * 2 - 1 - off);
  fc.assert(
    fc.property(near, fc.integer({ min: 1, max: 2 ** 31 }), (parts, gain) => {
      const [whole, rest] = [BigInt(parts) / BigInt(gain), BigInt(parts) % BigInt(gain)];
      expect(BigInt(Math.floor(parts / gain))).toBe(whole);
      expect(BigInt(Math.ceil(parts / gain))).toBe(rest === 0n ? whole : whole + 1n);
    }),
    { numRuns: 5000 },
  );
});

test("the digest is SHA-256 over UTF-16", () => {
  for (const length of [0, 1, 27, 28, 29, 31, 32, 33, 300, 1001]) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join("");
    const swapped = Buffer.from(text, "utf16le").swap16();
    expect(sha256(text)).toBe(createHash("sha256").update(swapped).digest("hex"));
  }
});

test("windows begin at places spread evenly over the period", () => {
  const plan = planFor("it", { kind: "fixed window", rate: 1, period: 1000 });
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const tenth = Math.floor(anchorOf(plan, `user ${i}`) / 100);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
