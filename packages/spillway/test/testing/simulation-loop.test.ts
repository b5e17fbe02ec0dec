/** One process in virtual time: what is delivered when, and what it costs. */
import { describe, expect, test } from "vitest";
import { EventLoop } from "../../src/testing/simulation/event-loop.ts";
import { VirtualTime } from "../../src/testing/simulation/virtual-time.ts";

function processOf() {
  const time = new VirtualTime();
  const loop = new EventLoop(time);
  const log: string[] = [];
  const note = (what: string) => log.push(`${what} at ${time.now}`);
  /** Something from outside becomes due for the process. */
  const due = (at: number, call: () => void) => time.plan({ at, call: () => loop.deliver(call) });
  const run = () => loop.run(() => false);
  return { time, loop, log, note, due, run };
}

describe("virtual time", () => {
  test("goes through events by instant, those of one instant as planned", () => {
    const { time, log, note } = processOf();
    const instants = [5, 3, 9, 3, 1, 7, 5, 3];
    instants.forEach((at, index) => {
      time.plan({ at, call: () => note(`${index}`) });
    });
    while (time.goOn());
    const inOrder = [
      "4 at 1",
      "1 at 3",
      "3 at 3",
      "7 at 3",
      "0 at 5",
      "6 at 5",
      "5 at 7",
      "2 at 9",
    ];
    expect(log).toEqual(inOrder);
  });

  test("shows whole milliseconds, and fractions", () => {
    const { time, loop } = processOf();
    time.goTo(1.75);
    expect(time.clock()).toBe(Date.UTC(2026, 0, 1) + 1);
    expect(loop.elapsed()).toBe(1.75);
  });

  test("never goes back", () => {
    const { time, note, log } = processOf();
    time.goTo(10);
    time.plan({ at: 5, call: () => note("late") });
    time.goTo(7);
    expect(log).toEqual(["late at 10"]);
    expect(time.now).toBe(10);
  });

  test("doesn't let the world outside use the process's time, nor an instant that is none", () => {
    const { time, loop } = processOf();
    time.plan({ at: 1, call: () => loop.burn(1) });
    expect(() => time.goOn()).toThrow("only the process makes time go by");
    expect(() => time.plan({ at: Number.NaN, call: () => {} })).toThrow("an instant is NaN");
  });
});

describe("an event loop", () => {
  test("delivers what became due during a burn afterwards, in order", async () => {
    const { loop, note, log, due, run } = processOf();
    due(0, () => {
      loop.burn(10);
      note("burnt");
    });
    due(6, () => note("second"));
    due(4, () => note("first"));
    await run();
    expect(log).toEqual(["burnt at 10", "first at 10", "second at 10"]);
  });

  test("counts what becomes due at the very end of a burn among what is due", async () => {
    const { loop, note, log, due, run } = processOf();
    due(0, () => {
      loop.burn(5);
      loop.deliver(() => note("own"));
    });
    due(5, () => note("outside"));
    await run();
    expect(log).toEqual(["outside at 5", "own at 5"]);
  });

  test("delivers in a turn only what was due when it began", async () => {
    const { loop, note, log, due, run } = processOf();
    due(0, () => {
      loop.afterTurn(() => note("check"));
      loop.burn(5);
    });
    due(3, () => note("next turn"));
    await run();
    expect(log).toEqual(["check at 5", "next turn at 5"]);
  });

  test("calls in a check phase only what was queued before it began", async () => {
    const { loop, note, log, due, run } = processOf();
    due(0, () => {
      loop.afterTurn(() => {
        loop.afterTurn(() => note("second check"));
        loop.deliver(() => note("poll between"));
        note("first check");
      });
      loop.afterTurn(() => note("first check, too"));
      note("poll");
    });
    await run();
    const names = ["poll", "first check", "first check, too", "poll between", "second check"];
    expect(log).toEqual(names.map((name) => `${name} at 0`));
  });

  test("reports what was closed after the check phase, and before what comes next", async () => {
    const { loop, note, log, due, run } = processOf();
    due(0, () => {
      loop.afterTurn(() => note("check"));
      loop.afterChecks(() => {
        note("closed");
        loop.afterTurn(() => note("next check"));
      });
      loop.deliver(() => note("next poll"));
    });
    await run();
    const names = ["check", "closed", "next poll", "next check"];
    expect(log).toEqual(names.map((name) => `${name} at 0`));
  });

  test("has timers of whole milliseconds, one at least", async () => {
    const { loop, note, log, run } = processOf();
    for (const ms of [2.9, 0, -5]) loop.afterDelay(ms, () => note(`${ms}`));
    await run();
    expect(log).toEqual(["0 at 1", "-5 at 1", "2.9 at 2"]);
  });

  test("lets promises continue after each callback, before the next", async () => {
    const { loop, note, log, due, run } = processOf();
    const chain = async () => {
      for (let link = 0; link < 7; link++) await undefined;
      loop.burn(2);
      note("continued");
    };
    due(0, () => void chain());
    due(0, () => note("next"));
    await run();
    expect(log).toEqual(["continued at 2", "next at 2"]);
  });

  test("fails with what a callback throws", async () => {
    const { due, run } = processOf();
    due(1, () => {
      throw new Error("broken");
    });
    await expect(run()).rejects.toThrow("broken");
  });

  test("tells its utilization since last asked", async () => {
    const { loop, due, run } = processOf();
    const utilization = loop.utilization();
    const seen: (number | undefined)[] = [utilization()];
    due(10, () => {
      loop.burn(30);
      seen.push(utilization(), utilization());
    });
    due(100, () => seen.push(utilization()));
    due(100, () => loop.burn(5));
    due(105, () => seen.push(utilization()));
    await run();
    expect(seen).toEqual([undefined, 0.75, undefined, 0, 1]);
  });

  test("tells each reader how late deliveries were since it last asked", async () => {
    const { loop, due, run } = processOf();
    const [p50, p99] = [loop.delay(0.5), loop.delay()];
    const seen: (number | undefined)[] = [p99()];
    due(0, () => loop.burn(10));
    for (const at of [1, 2, 3]) due(at, () => {});
    due(20, () => seen.push(p50(), p99(), p99()));
    await run();
    // Late by 0, 9, 8, 7 and 0.
    expect(seen).toEqual([undefined, 7, 9, undefined]);
  });
});
