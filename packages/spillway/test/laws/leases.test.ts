/** The laws for what is in flight. Counted here from the starts and ends of leases alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Lease } from "../../src/limiter/index.ts";
import { runs } from "../runs.ts";
import { bench, counts, events, happen, inFlight, limits } from "./lease-bench.ts";

describe("law 1: bound", () => {
  test("at no instant is more in flight than the capacity", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        for (const event of schedule) {
          happen(scene, event);
          const { clock, limiter, all } = scene;
          const units = inFlight(all, clock());
          expect(units).toBeLessThanOrEqual(limit.capacity);
          // And nobody who asks hears of less room, or of more.
          expect(limiter.value("it", { key: "k" }).remaining).toBe(limit.capacity - units);
        }
        // Once more over the whole time, for what was in flight together between two events.
        for (const { start, end } of scene.all)
          for (const at of [start, end - 1])
            expect(inFlight(scene.all, at)).toBeLessThanOrEqual(limit.capacity);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("an ask is admitted where there is room for it, with what it has to leave", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        for (const event of schedule) {
          const before = inFlight(scene.all, scene.clock());
          const answer = happen(scene, event);
          if (event.type !== "acquire") continue;
          const needed = Math.max(1, event.count) + event.headroom;
          const { remaining, resetAfter } = scene.limiter.value("it", { key: "k" });
          expect(answer).toMatchObject({
            ok: before + needed <= limit.capacity,
            remaining: limit.capacity - inFlight(scene.all, scene.clock()),
          });
          expect(answer).toMatchObject({ remaining, resetAfter });
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("law 2: exact waits", () => {
  test("a refusal is admitted after retryAfter, and not a millisecond earlier", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        const { clock, limiter } = scene;
        for (const event of schedule) {
          const answer = happen(scene, event);
          if (event.type !== "acquire") continue;
          const { ok, retryAfter, reason } = answer as Lease<"now">;
          if (ok) continue;
          const { count, headroom } = event;
          const rested = limiter.acquire("it", { key: "rested", count, headroom });
          expect(reason === "too large").toBe(!rested.ok);
          expect(retryAfter === Infinity).toBe(!rested.ok);
          rested.release();
          if (retryAfter === Infinity) continue;
          expect(retryAfter).toBeGreaterThan(0);
          clock.advance(retryAfter - 1);
          // A refusal changes nothing, so that it may be tried.
          expect(limiter.acquire("it", { key: "k", count, headroom }).ok).toBe(false);
          clock.advance(1);
          expect(happen(scene, event)).toMatchObject({ ok: true });
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("a key is fully reset after resetAfter, and while it is not it says so", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        const { clock, limiter } = scene;
        for (const event of schedule) happen(scene, event);
        const { resetAfter } = limiter.value("it", { key: "k" });
        // What is left of the last lease, or of one released after it; never more than a ttl.
        const last = Math.max(0, ...scene.all.map(({ end }) => end - clock()));
        expect(resetAfter).toBeGreaterThanOrEqual(last);
        expect(resetAfter).toBeLessThanOrEqual(last === 0 ? 0 : scene.ttl);
        clock.advance(resetAfter);
        expect(limiter.value("it", { key: "k" })).toEqual(limiter.value("it", { key: "fresh" }));
      }),
      { numRuns: runs(500) },
    );
  });
});

/** What an event was answered, without an estimate: it follows how long leases were really held. */
function said(answer: ReturnType<typeof happen>) {
  return typeof answer === "object" ? { ...answer, estimatedRetryAfter: undefined } : answer;
}

describe("laws 4 and 5: a refusal and a check change nothing", () => {
  test("a key that is also refused and checked answers like one that is not", () => {
    fc.assert(
      fc.property(limits, events, counts, (limit, schedule, more) => {
        const [quiet, busy] = [bench(limit), bench(limit)];
        for (const event of schedule) {
          busy.limiter.check("it", { key: "k", count: more });
          busy.limiter.acquire("it", { key: "k", count: limit.capacity + 1 });
          busy.limiter.acquire("it", { key: "k", headroom: limit.capacity });
          const left = busy.limiter.value("it", { key: "k" }).remaining;
          busy.limiter.acquire("it", { key: "k", count: left + 1 });
          const [one, other] = [happen(busy, event), happen(quiet, event)];
          expect(said(one)).toEqual(said(other));
          expect(busy.limiter.value("it", { key: "k" })).toEqual(
            quiet.limiter.value("it", { key: "k" }),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
