/** Of thousands of keys, few go back in one turn of the event loop, where each is a transaction. */
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Command, Store } from "../../../src/limits/core/index.ts";
import { lent, regionStore } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const KEYS = 1000;
/** Store calls in one turn, and one key's more. */
const MOST = 110;

/** Time by hand, in which each timer's call is a turn of its own, and the most store calls of a turn. */
function turns() {
  const clock = manualClock();
  let timers: { readonly at: number; readonly call: () => void }[] = [];
  let [calls, most] = [0, 0];
  const counted = <S extends Store<"now">>(store: S): Store<"now"> => ({
    timing: "now",
    execute<C extends Command>(command: C) {
      most = Math.max(most, ++calls);
      return store.execute(command);
    },
  });
  const turn = async (call: () => void) => {
    calls = 0;
    call();
    // A store of several regions answers some microtasks later.
    await new Promise(setImmediate);
  };
  /** Lets time go by to each timer, and returns the most store calls of one instant's turn. */
  const pass = async (ms: number) => {
    const end = clock() + ms;
    most = 0;
    for (;;) {
      const [next] = timers.toSorted((one, other) => one.at - other.at);
      if (next === undefined || next.at > end) break;
      timers = timers.filter((one) => one !== next);
      clock.advance(Math.max(0, next.at - clock()));
      await turn(next.call);
    }
    clock.advance(end - clock());
    return most;
  };
  const scheduler = {
    elapsed: clock,
    afterDelay: (after: number, call: () => void) =>
      timers.push({ at: clock() + Math.ceil(after), call }),
  };
  return { clock, scheduler, counted, pass, timers: () => timers.length };
}

test.each([
  ["are idle", "10s"],
  ["are about to end", "1500ms"],
] as const)("shares that %s", async (_, share) => {
  const { clock, scheduler, counted, pass, timers } = turns();
  const store = lent(counted(memoryStore({ clock })), { clock, scheduler, warn: () => {} });
  const it = {
    kind: "token bucket",
    rate: 1000,
    period: "1h",
    share: share === "10s" ? share : 1500,
  } as const;
  const limiter = new RateLimiter({ it }, { store });
  for (let ask = 0; ask < 5; ask++) {
    for (let key = 0; key < KEYS; key++) limiter.limit("it", { key: `${key}` });
    clock.advance(20);
  }
  expect(store.lending?.numbers()).toMatchObject({ keys: KEYS });
  expect(store.lending?.numbers().held).toBeGreaterThan(KEYS);
  // A timer for the first that ends, one for the checks.
  expect(timers()).toBeLessThan(10);
  expect(await pass(10_000)).toBeLessThanOrEqual(MOST);
  expect(store.lending?.numbers()).toMatchObject({ keys: 0, held: 0 });
});

test("what was borrowed of other regions", async () => {
  const { clock, scheduler, counted, pass } = turns();
  const names = ["a", "b", "c", "d"];
  const region = () => ({ store: counted(memoryStore({ clock })), part: 1 });
  const regions = Object.fromEntries(names.map((name) => [name, region()]));
  const store = regionStore({ here: "a", regions: regions as never, clock, scheduler });
  const limiter = new RateLimiter(
    { it: { kind: "token bucket", rate: 400, period: "1h" } },
    { store },
  );
  const ask = (key: number, count: number) => limiter.limit("it", { key: `${key}`, count });
  for (let key = 0; key < KEYS; key++) {
    await ask(key, 100);
    // The first time it finds out what other regions have.
    for (let lacking = 0; lacking < 3; lacking++) await ask(key, 10);
  }
  await new Promise(setImmediate);
  expect(store.lending.numbers()).toMatchObject({ keys: KEYS });
  expect(store.lending.numbers().held).toBeGreaterThan(KEYS);
  expect(await pass(5000)).toBeLessThanOrEqual(MOST);
  expect(store.lending.numbers()).toMatchObject({ keys: 0, held: 0 });
});
