import { describe, expect, test } from "vitest";
import { sleep } from "../../src/limiter/index.ts";
import { sleepBy } from "../../src/limiter/sleep.ts";
import { LONGEST_TIMER } from "../../src/limits/core/index.ts";
import { EventLoop } from "../../src/testing/simulation/event-loop.ts";
import { VirtualTime } from "../../src/testing/simulation/virtual-time.ts";

const DAYS_60 = 60 * 86_400_000;

/** Timers of a runtime in virtual time, each of which goes off a millisecond early; and what they were set for. */
function earlyTimers(loop: EventLoop) {
  const set: number[] = [];
  const alarm = (ms: number, call: () => void) => {
    set.push(ms);
    return loop.alarm(Math.max(0, ms - 1), call);
  };
  return { set, timers: { elapsed: loop.elapsed, alarm } };
}

/** When a sleep ends. */
async function endOf(ms: number) {
  const loop = new EventLoop(new VirtualTime());
  const { set, timers } = earlyTimers(loop);
  let end: number | undefined;
  void sleepBy(timers, ms).then(() => {
    end = loop.elapsed();
  });
  await loop.run(() => end !== undefined);
  return { end, longest: Math.max(...set) };
}

const timersThatKeepAlive = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

describe("a sleep", () => {
  test.each([1, 2.5, 1000, LONGEST_TIMER - 1, LONGEST_TIMER + 1, DAYS_60])(
    "of %d ms is no shorter, and hardly longer",
    async (ms) => {
      const { end, longest } = await endOf(ms);
      expect(end).toBeGreaterThanOrEqual(ms);
      expect(end).toBeLessThan(ms + 3);
      expect(longest).toBeLessThanOrEqual(LONGEST_TIMER);
    },
  );

  test("ends with its signal's reason, and listens to it no longer", async () => {
    const controller = new AbortController();
    const asleep = sleep(DAYS_60, { signal: controller.signal });
    controller.abort("gone");
    await expect(asleep).rejects.toBe("gone");
    await expect(sleep(0, { signal: controller.signal })).rejects.toBe("gone");
  });

  test("of none ends", async () => {
    await expect(sleep(0)).resolves.toBeUndefined();
  });

  test.each([
    [{}, 1],
    [{ keepAlive: true }, 1],
    [{ keepAlive: false }, 0],
  ])("with %j keeps the process alive by %d timers", async (options, timers) => {
    const controller = new AbortController();
    const before = timersThatKeepAlive();
    const asleep = sleep(DAYS_60, { signal: controller.signal, ...options });
    expect(timersThatKeepAlive() - before).toBe(timers);
    controller.abort("enough");
    await expect(asleep).rejects.toBe("enough");
  });

  test.each([
    [-1, {}, "bad-wait"],
    [Number.NaN, {}, "bad-wait"],
    ["5", {}, "bad-wait"],
    [1, { signal: {} }, "bad-option"],
    [1, { keepAlive: 1 }, "bad-option"],
    [1, { ref: true }, "unknown-field"],
  ])("of %s with %j is refused", async (ms, options, code) => {
    await expect(sleep(ms as number, options as never)).rejects.toMatchObject({ code });
  });

  test("for ever is refused, with why", async () => {
    await expect(sleep(Number.POSITIVE_INFINITY)).rejects.toThrow(/check `reason`/);
  });
});
