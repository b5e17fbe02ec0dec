/** Units that are about to end unused: they go back where they would be missed, and nothing is asked where not. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Command, CommandOf, Limit, Store } from "../../../src/limits/core/index.ts";
import { lent, type StoreEvent } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const HOUR = 3_600_000;
const WINDOW = { kind: "fixed window", rate: 1000, period: HOUR, start: 0, share: 1500 } as const;

/** A store that lends to a process, whose timers go off when they are due. */
function place(limit: Limit) {
  const clock = manualClock(HOUR);
  const base = memoryStore({ clock });
  const commands: Command[] = [];
  const events: StoreEvent[] = [];
  const machine = { isAway: false };
  let timers: { readonly at: number; readonly call: () => void }[] = [];
  const raw: Store<"now"> = {
    timing: "now",
    execute(command) {
      commands.push(command);
      if (machine.isAway) throw new Error("away");
      return base.execute(command);
    },
  };
  const scheduler = {
    elapsed: clock,
    // Of whole milliseconds, as in Node: what is to wait for a fraction more goes off too early.
    afterDelay: (ms: number, call: () => void) =>
      timers.push({ at: clock() + Math.max(1, Math.floor(ms)), call }),
  };
  const onEvent = (event: StoreEvent) => events.push(event);
  const store = lent(raw, { clock, scheduler, onEvent });
  const limiter = new RateLimiter({ it: limit } as { it: typeof WINDOW }, { store });
  const pass = (ms: number) => {
    const end = clock() + ms;
    for (;;) {
      const [next] = timers.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      timers = timers.filter((one) => one !== next);
      clock.advance(Math.max(0, next.at - clock()));
      next.call();
    }
    clock.advance(end - clock());
  };
  const take = (count: number) => {
    let taken = 0;
    for (let ask = 0; ask < count; ask++) if (limiter.limit("it", { key: "k" }).ok) taken++;
    return taken;
  };
  const held = () => store.lending?.numbers().held ?? 0;
  const left = () =>
    new RateLimiter({ it: limit } as never, { store: raw }).value(
      "it" as never,
      { key: "k" } as never,
    ).remaining;
  return {
    clock,
    commands,
    events,
    machine,
    timers: () => timers.length,
    pass,
    take,
    held,
    left,
  };
}

describe("units that are about to end unused", () => {
  test.each([300, 1500])(
    "go back to a window, which is used up to the unit, burst after burst, when held for %d ms",
    (share) => {
      const { pass, take, held, events } = place({ ...WINDOW, share });
      let taken = 0;
      for (let burst = 0; burst < 6; burst++) {
        taken += take(30);
        expect(held()).toBeGreaterThan(0);
        pass(4000);
      }
      taken += take(2000);
      expect(taken).toBe(1000);
      expect(events.filter(({ type }) => type === "expired")).toEqual([]);
    },
  );

  test("go back of a key that is asked for now and then", () => {
    const { pass, take, events } = place({ ...WINDOW, share: 5000 });
    let taken = take(100);
    for (let second = 0; second < 6; second++) {
      pass(1000);
      taken += take(1);
    }
    expect(events.filter(({ type }) => type === "expired")).toEqual([]);
    expect(taken + take(2000)).toBe(1000);
  });

  test("go back to a bucket that would refill them later, in one call with what is drawn next", () => {
    const limit = {
      kind: "token bucket",
      rate: 600,
      period: HOUR,
      capacity: 300,
      share: 1500,
    } as const;
    const { pass, take, held, commands, left } = place(limit);
    take(20);
    const before = held();
    const calls = commands.length;
    pass(1400);
    expect(commands.slice(calls).map(({ verb }) => verb)).toEqual(["draw"]);
    const { draw } = commands.at(-1) as CommandOf<"draw">;
    expect(draw.back.map(({ units }) => units)).toEqual([before]);
    expect(left() + held()).toBe(280);
  });

  test("are left to end where a bucket refills them sooner", () => {
    const limit = { kind: "token bucket", rate: 1000, period: 1000, share: 1500 } as const;
    const { pass, take, held, commands } = place(limit);
    take(20);
    const calls = commands.length;
    expect(held()).toBeGreaterThan(0);
    pass(1490);
    expect(commands.length).toBe(calls);
  });

  test("are not looked at any more once they are over, while their key is", () => {
    const limit = { kind: "token bucket", rate: 1000, period: 1000, share: 300 } as const;
    const { pass, take, timers } = place(limit);
    take(20);
    pass(400);
    expect(timers()).toBe(1);
  });

  test("are left to end where their window ends as well", () => {
    const { clock, pass, take, held, commands } = place(WINDOW);
    clock.advance(HOUR - 1000);
    take(20);
    const calls = commands.length;
    expect(held()).toBeGreaterThan(0);
    pass(990);
    expect(commands.length).toBe(calls);
  });

  test("are given up where the store can't be reached, and go back by name later", () => {
    const { pass, take, held, machine, left } = place(WINDOW);
    take(20);
    machine.isAway = true;
    pass(1400);
    expect(held()).toBe(0);
    machine.isAway = false;
    const taken = take(2);
    expect(left() + held()).toBe(1000 - 20 - taken);
  });

  test("leave no timer behind for as long as they may be held", () => {
    const { pass, take, timers } = place({ ...WINDOW, share: HOUR });
    take(20);
    // The one that checks all keys once a second.
    expect(timers()).toBe(1);
    pass(10_000);
    expect(timers()).toBe(0);
  });
});
