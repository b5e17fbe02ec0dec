import { describe, expect, test } from "vitest";
import { planFor, Steps } from "../../../src/limits/algorithms/index.ts";
import { type Command, State, type Timing } from "../../../src/limits/core/index.ts";
import type { ResilienceOptions } from "../../../src/stores/index.ts";
import { denialCache, type Executor, PortError, resilient } from "../../../src/stores/index.ts";
import type { StoreEvent } from "../../../src/stores/remote/events.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { EventLoop } from "../../../src/testing/simulation/event-loop.ts";
import { VirtualTime } from "../../../src/testing/simulation/virtual-time.ts";

const plan = planFor("search", {
  kind: "token bucket",
  rate: 1,
  period: "1h",
});
const settings = { whenUnavailable: "open", shards: 1 } as const;
const ask = { plan, key: "k", settings, count: 1, reserve: false } as const;
const limit = { verb: "limit", budgets: [ask] } as const;
const value = { verb: "value", budgets: [ask] } as const;

function executorOf<M extends Timing>(timing: M, execute: Executor<M>["execute"]): Executor<M> {
  return { timing, name: "map", execute };
}

describe("an executor that misbehaves", () => {
  const wrong = [
    ["no list", undefined],
    ["too few outcomes", []],
    ["a missing outcome", [undefined]],
    ["an empty outcome", [{}]],
    ["an error that is none", [{ error: undefined }]],
  ] as const;

  test.each(wrong)(
    "later, with %s: the limit decides, and nobody waits for ever",
    async (_, said) => {
      const events: StoreEvent[] = [];
      const executor = executorOf("later", async () => said as never);
      const store = resilient(executor, { onEvent: (event) => events.push(event) });
      expect(await store.limit?.(ask)).toMatchObject({ ok: true, degraded: true });
      expect(await store.execute(limit)).toMatchObject([{ ok: true, degraded: true }]);
      await expect(store.execute(value)).rejects.toThrow(/an answer to `value`/);
      expect(events.filter(({ type }) => type === "failed")).not.toEqual([]);
    },
  );

  test("later, with an answer of another shape: the others of its request have theirs", async () => {
    const executor = executorOf("later", async (commands: readonly Command[]) =>
      commands.map(({ verb }) => ({ answer: verb === "limit" ? undefined : true })),
    );
    const store = resilient(executor);
    const lease = { id: 1, count: 1 };
    const release = store.execute({ verb: "release", budgets: [ask], lease });
    const [decision, isHeld] = await Promise.all([store.limit?.(ask), release]);
    expect([decision?.degraded, isHeld]).toEqual([true, true]);
  });

  test.each(wrong)("now, with %s: the limit decides", (_, said) => {
    const store = resilient(executorOf("now", () => said as never));
    expect(store.execute(limit)).toMatchObject([{ ok: true, degraded: true }]);
    expect(() => store.execute(value)).toThrow(/an answer to `value`/);
  });

  test("now, disagreeing with the steps: it is refused, and is no outage", () => {
    const events: string[] = [];
    const executor = executorOf("now", () => {
      throw new PortError("1 budgets charged, expected 0");
    });
    const store = resilient(executor, { onEvent: ({ type }) => events.push(type) });
    expect(store.execute(limit)).toMatchObject([{ ok: false, degraded: true }]);
    expect(events).toEqual(["disagreed", "degraded"]);
  });
});

test.each(["now", "later"] as const)("%s: a probe is told that it is one", async (timing) => {
  const clock = manualClock();
  const probes: boolean[] = [];
  const store = resilient(
    executorOf<Timing>(timing, (_, { isProbe }) => {
      probes.push(isProbe);
      if (timing === "later") return Promise.reject(new Error("away"));
      throw new Error("away");
    }),
    { clock, breaker: { failures: 1, pause: 1000 } },
  );
  await store.execute(limit);
  await store.execute(limit);
  clock.advance(1000);
  await store.execute(limit);
  expect(probes).toEqual([false, true]);
});

test("an answer that is late does not bring back a refusal from before a reset", async () => {
  const clock = manualClock();
  const two = { ...ask, plan: planFor("pages", { kind: "token bucket", rate: 2, period: "1h" }) };
  const taken = { verb: "limit", budgets: [two] } as const;
  const state = new State();
  const gate = Promise.withResolvers<void>();
  const executor = executorOf("later", async (commands, { observer }) => {
    const now = clock();
    const isHeldUp = commands.length > 1;
    const before = state.copy();
    const steps = new Steps(() => (isHeldUp ? before : state), observer);
    if (isHeldUp) await gate.promise;
    return commands.map((command) => ({ answer: steps.execute(command, now) }));
  });
  const store = denialCache(resilient(executor, { deadline: 10_000 }), { clock });
  await store.execute(taken);
  await store.execute(taken);
  const late = Promise.all([store.execute(taken), store.execute(taken)]);
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1);
  await store.execute({ verb: "reset", budgets: [two] });
  clock.advance(1);
  await store.execute(taken);
  gate.resolve();
  expect(await late).toMatchObject([[{ ok: false }], [{ ok: false }]]);
  expect(await store.execute(taken)).toMatchObject([{ ok: true }]);
});

test("one command of a turn is the probe; the others are answered without the store", async () => {
  const clock = manualClock();
  const sent: number[] = [];
  const executor = executorOf("later", (commands) => {
    sent.push(commands.length);
    return Promise.reject(new Error("away"));
  });
  const store = resilient(executor, { clock, breaker: { failures: 1, pause: 1000 } });
  await store.execute(limit);
  clock.advance(1000);
  const answers = await Promise.all([limit, limit, limit].map((one) => store.execute(one)));
  expect(answers.flat()).toMatchObject(Array(3).fill({ ok: true, degraded: true }));
  expect(sent).toEqual([1, 1]);
});

describe("calls of one turn", () => {
  /** A store that answers when a turn is over, and how many commands each of its requests had. */
  function counted() {
    const requests: number[] = [];
    const executor = executorOf("later", async (commands: readonly Command[]) => {
      requests.push(commands.length);
      await new Promise((answered) => setImmediate(answered));
      return commands.map(() => ({ answer: [{ ok: true }] as never }));
    });
    return { requests, store: resilient(executor) };
  }

  test("share a request where nothing is under way, and so do the next ones of their callers", async () => {
    const { requests, store } = counted();
    const caller = async (hops: number) => {
      for (let calls = 0; calls < 3; calls++) {
        await store.limit?.(ask);
        // Some ask again a little later than others, but in the same turn.
        for (let hop = 0; hop < hops; hop++) await undefined;
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, number) => caller(number)));
    expect(requests).toEqual([10, 10, 10]);
  });

  test("of a lone caller are sent in the turn of the answer before", async () => {
    const { requests, store } = counted();
    await store.limit?.(ask);
    const next = store.limit?.(ask);
    for (let hop = 0; hop < 5; hop++) await undefined;
    expect(requests).toEqual([1, 1]);
    await next;
  });

  test("wait for the turn's end while another call is under way", async () => {
    const { requests, store } = counted();
    const first = store.limit?.(ask);
    for (let hop = 0; hop < 5; hop++) await undefined;
    const others = [store.limit?.(ask), store.limit?.(ask)];
    await first;
    const next = store.limit?.(ask);
    await Promise.all([...others, next]);
    expect(requests[0]).toBe(1);
    expect(requests.reduce((sum, count) => sum + count)).toBe(4);
    expect(requests.length).toBeLessThan(4);
  });
});

describe("the first calls", () => {
  /**
   * Asks at some instants, in virtual time, a store whose way is made at one, and that is as slow later. Returns when
   * each is answered, and whether without the store.
   */
  async function answersOf(
    instants: readonly number[],
    { made, takes, ...options }: ResilienceOptions & { made: number; takes: number },
  ) {
    const loop = new EventLoop(new VirtualTime());
    const executor = executorOf("later", async (commands: readonly Command[]) => {
      const ms = Math.max(takes, made - loop.elapsed());
      await new Promise<void>((resolve) => loop.afterDelay(ms, resolve));
      return commands.map(() => ({ answer: [{ ok: true, degraded: false }] as never }));
    });
    const times = { scheduler: loop, clock: loop.elapsed };
    const store = resilient(executor, { ...times, warn() {}, ...options });
    const answers: (readonly [at: number, isDegraded: boolean])[] = [];
    for (const instant of instants) {
      loop.afterDelay(instant, async () => {
        const decision = await store.limit?.(ask);
        answers.push([Math.round(loop.elapsed()), decision?.degraded === true]);
      });
    }
    await loop.run(() => answers.length === instants.length);
    return answers;
  }

  test("wait for a store that connects, and no others do", async () => {
    const answers = await answersOf([1, 500, 950], { made: 900, takes: 60 });
    // Each of the three takes longer than the deadline of 50 ms.
    expect(answers).toEqual([
      [900, false],
      [900, false],
      [1000, true],
    ]);
  });

  test("wait a second in all, counted from the first", async () => {
    const answers = await answersOf([1, 700, 990, 1200], { made: 5000, takes: 1 });
    expect(answers).toEqual([
      [1001, true],
      [1001, true],
      [1040, true],
      [1250, true],
    ]);
  });

  test("wait as long as is said, and never less than others", async () => {
    const short = await answersOf([1], { made: 5000, takes: 1, firstDeadline: 100 });
    expect(short).toEqual([[101, true]]);
    const never = await answersOf([1], { made: 5000, takes: 1, firstDeadline: 1, deadline: 80 });
    expect(never).toEqual([[81, true]]);
  });
});
