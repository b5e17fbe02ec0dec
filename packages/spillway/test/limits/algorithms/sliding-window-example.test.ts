/** What is said after the example of `docs/algorithms/sliding-window.md`. */
import { expect, test } from "vitest";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

/** A rate of 7 a minute, after 5 units in the minute before and 3 in this one, of which 18 s are over. */
function afterEight() {
  const clock = manualClock(10 * MINUTE);
  const search = { kind: "sliding window", rate: 7, period: MINUTE, start: 0 } as const;
  const limiter = new RateLimiter({ search }, { store: memoryStore({ clock }) });
  limiter.limit("search", { count: 5 });
  clock.advance(MINUTE + 15_000);
  limiter.limit("search", { count: 3 });
  clock.advance(3000);
  return { clock, limiter };
}

test("a call that would make the estimate 7.5 of 7 is refused, though it is 6.5 before", () => {
  const { clock, limiter } = afterEight();
  expect(limiter.limit("search")).toMatchObject({ ok: false, remaining: 0, retryAfter: 6000 });
  clock.advance(5999);
  expect(limiter.limit("search").ok).toBe(false);
  clock.advance(1);
  expect(limiter.limit("search").ok).toBe(true);
});
