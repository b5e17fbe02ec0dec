/** Laws 4, 5 and 6: refusals and checks cost nothing, and many asks are taken all or not at all. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../runs.ts";
import { anyLimit, bench, fitted, steps } from "./arbitrary.ts";

describe("laws 4 and 5: a refusal and a check change nothing", () => {
  test("a key that is also refused and checked answers like one that is not", () => {
    fc.assert(
      fc.property(anyLimit, steps, (drawn, asks) => {
        const { plan } = bench(drawn);
        const limit = plan.windowAlignment > 1 ? { start: 0, ...drawn } : drawn;
        const { limiter, clock } = bench(limit);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          const quiet = limiter.check("it", { ...ask, key: "quiet" });
          limiter.check("it", { ...ask, key: "busy", count: 3 });
          expect(limiter.limit("it", { ...ask, key: "busy" })).toEqual(quiet);
          if (quiet.ok) expect(limiter.limit("it", { ...ask, key: "quiet" })).toEqual(quiet);
          expect(limiter.value("it", { key: "busy" })).toEqual(
            limiter.value("it", { key: "quiet" }),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("law 6: all or nothing", () => {
  test("either every budget is charged or none, and the answer tells which refused", () => {
    fc.assert(
      fc.property(anyLimit, anyLimit, steps, (one, other, asks) => {
        const { limiter, clock, plan } = bench(one);
        const both = ["it", "other"] as const;
        const value = (limit: (typeof both)[number]) =>
          limiter.value(limit, { key: "k", config: limit === "it" ? one : other });
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          const { count } = ask;
          const joint = both.map((limit) => ({
            limit,
            key: "k",
            count,
            config: limit === "it" ? one : other,
          }));
          const before = both.map(value);
          const alone = joint.map(({ limit, ...options }) => limiter.check(limit, options));
          const answer = limiter.limitAll(joint);
          const refused = alone.filter(({ ok }) => !ok);
          expect(answer.ok).toBe(refused.length === 0);
          expect(answer.refused).toEqual(refused.map(({ limit }) => limit));
          expect(answer.decisions.map(({ ok }) => ok)).toEqual(alone.map(({ ok }) => ok));
          expect(limiter.value("it", { key: "k", config: one }).remaining).toBe(
            answer.decisions[0]?.remaining,
          );
          if (answer.ok) {
            expect(both.map((limit) => value(limit).remaining)).toEqual(
              alone.map((d) => d.remaining),
            );
          } else {
            expect(both.map(value)).toEqual(before);
            expect(answer.retryAfter).toBe(Math.max(...refused.map((d) => d.retryAfter)));
            const deciding = alone.find(({ limit }) => limit === answer.limit);
            expect(deciding?.retryAfter).toBe(answer.retryAfter);
          }
        }
      }),
    );
  });

  test("one budget named several times is charged for the sum", () => {
    fc.assert(
      fc.property(
        anyLimit,
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        (limit, counts) => {
          const { limiter } = bench(limit);
          const total = counts.reduce((sum, count) => sum + count, 0);
          const asks = counts.map((count) => ({ limit: "it" as const, key: "k", count }));
          const whole = limiter.check("it", { key: "k", count: total });
          expect(limiter.limitAll(asks)).toMatchObject({
            ok: whole.ok,
            remaining: whole.remaining,
            retryAfter: whole.retryAfter,
          });
        },
      ),
    );
  });
});
