import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { elapsed } from "../../../src/limits/core/index.ts";
import { eventLoopDelay } from "../../../src/shedding/signals/event-loop-delay.ts";
import { eventLoopUtilization } from "../../../src/shedding/signals/event-loop-utilization.ts";
import type { LoopTimes } from "../../../src/shedding/signals/host.ts";
import { telling } from "./telling.ts";

/** What signals tell in a process of its own that idles for 1.5 s, then works. */
async function signalsOfALoop() {
  const program = fileURLToPath(new URL("./loop.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return JSON.parse(stdout);
}

test("after a quiet night a busy loop is seen as busy, and as late, at once", async () => {
  const { idle, busy, turns } = await signalsOfALoop();
  expect(idle.utilization).toBeLessThan(0.5);
  expect(busy.utilization).toBeGreaterThan(0.9);
  expect(busy.delay).toBeGreaterThan(4);
  // Blocked for 100 ms at a limit of 100, less the 10 ms of a timer.
  for (const turn of turns) expect(turn).toBeGreaterThan(0.8);
});

test("a real loop blocked for 300 ms is seen, before it turns and after", async () => {
  for (const letTurn of [false, true]) {
    // It would go on watching for a minute, through the tests of other files.
    using stack = new DisposableStack();
    const afterDelay = (ms: number, call: () => void) => {
      const timer = stack.adopt(setTimeout(call, ms), clearTimeout);
      timer.unref();
    };
    const delay = eventLoopDelay({ limit: 50 }, { afterDelay, elapsed });
    const start = performance.now();
    while (performance.now() - start < 300);
    if (letTurn) await new Promise(setImmediate);
    expect(delay()).toBeGreaterThanOrEqual(200 / 50);
  }
});

test("utilization is that of the window, whatever was before", () => {
  const loop = telling<LoopTimes>(
    { idle: 0, active: 100 },
    { idle: 75, active: 125 },
    { idle: 90_000, active: 200 },
    { idle: 90_001, active: 299 },
    { idle: 90_001, active: 299 },
  );
  const signal = eventLoopUtilization(loop);
  expect(signal()).toBe(0.25);
  expect(signal()).toBeLessThan(0.001);
  expect(signal()).toBe(0.99);
  expect(signal()).toBeUndefined();
});

test("a counter that throws harms no signal being made, and no later window", () => {
  const signal = eventLoopUtilization(
    telling<LoopTimes>(
      new Error("not implemented"),
      { idle: 0, active: 10 },
      { idle: 5, active: 15 },
      new Error("gone"),
      { idle: 5, active: 500 },
      { idle: 14, active: 501 },
    ),
  );
  expect([signal(), signal()]).toEqual([undefined, 0.5]);
  expect(signal).toThrow("gone");
  expect([signal(), signal()]).toEqual([undefined, 0.1]);
});
