import { expect, test } from "vitest";
import { DAY, MINUTE, RateLimiter, retryAt } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

test("the instant of a refusal is the first at which the same call is admitted", () => {
  const clock = manualClock();
  const limits = {
    exports: { kind: "token bucket", rate: 3, period: MINUTE, capacity: 1 },
  } as const;
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock }) });
  limiter.limit("exports");
  const at = retryAt(limiter.limit("exports"), clock);
  expect(at).toBe(clock() + 20_000);
  clock.set(at - 1);
  expect(limiter.limit("exports").ok).toBe(false);
  clock.set(at);
  expect(limiter.limit("exports").ok).toBe(true);
});

test("is never where no wait helps, and by the machine's clock without another", () => {
  expect(retryAt({ retryAfter: Number.POSITIVE_INFINITY })).toBe(Number.POSITIVE_INFINITY);
  const before = Date.now();
  const at = retryAt({ retryAfter: DAY });
  expect(at - DAY).toBeGreaterThanOrEqual(before);
  expect(at - DAY).toBeLessThanOrEqual(Date.now());
});

test.each([[() => Number.NaN], [5], [() => "now"]])("%s is no clock", (clock) => {
  expect(() => retryAt({ retryAfter: 1 }, clock as never)).toThrow(/clock/);
});
