/** Executors of others: what they leave out, get wrong, or throw. Nobody may wait for ever. */
import { describe, expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Command, Decision, LeaseRef, Timing } from "../../../src/limits/core/index.ts";
import {
  type CommandOutcome,
  type Executor,
  resilient,
  type StoreEvent,
} from "../../../src/stores/index.ts";

const plan = planFor("search", {
  kind: "token bucket",
  rate: 10,
  period: "1h",
});
const settings = { whenUnavailable: "open", shards: 1 } as const;
const ask = { plan, key: "k", settings, count: 1, reserve: false } as const;
const limit = { verb: "limit", budgets: [ask] } as const;

function admitted({ budgets }: Command): CommandOutcome {
  const ok = {
    ok: true,
    limit: "search",
    capacity: 10,
    remaining: 9,
    retryAfter: 0,
    resetAfter: 0,
  };
  return { answer: budgets.map((): Partial<Decision> => ok) };
}

const working: Executor<"later"> = {
  timing: "later",
  name: "map",
  execute: async (commands) => commands.map(admitted),
};
const away = () => Promise.reject(new Error("away"));
const never = () => new Promise<never>(() => {});
const broken = () => {
  throw new TypeError("a fault of the hook");
};

describe("a hook that throws", () => {
  const hooks = [
    ["nodeOf", { nodeOf: broken }, { ok: true, remaining: 9 }],
    ["obstacle", { obstacle: broken }, { ok: true, degraded: true }],
    ["blamesNode", { execute: away, blamesNode: broken }, { ok: true, degraded: true }],
    ["mayConcernOne", { execute: away, mayConcernOne: broken }, { ok: true, degraded: true }],
    ["trouble", { execute: never, trouble: broken }, { ok: true, degraded: true }],
  ] as const;

  test.each(hooks)(
    "later, %s: all are answered, and the fault is reported",
    async (_, more, answer) => {
      const events: StoreEvent[] = [];
      const executor: Executor<"later"> = { ...working, ...more };
      const store = resilient(executor, { deadline: 1, onEvent: (event) => events.push(event) });
      const answers = await Promise.all([store.limit?.(ask), store.execute(limit)]);
      expect(answers).toMatchObject([answer, [answer]]);
      const faults = events.filter((event) => event.type === "failed" && event.calls === 0);
      expect(faults).toContainEqual(
        expect.objectContaining({ node: "map", error: new TypeError("a fault of the hook") }),
      );
    },
  );

  test.each(["nodeOf", "blamesNode"] as const)("now, %s: it is answered", (hook) => {
    const execute = () => {
      throw new Error("away");
    };
    const store = resilient({ timing: "now", name: "map", execute, [hook]: broken });
    expect(store.execute(limit)).toMatchObject([{ ok: true, degraded: true }]);
  });
});

describe("what is no executor", () => {
  const wrong = [
    ["executor", undefined],
    ["executor", "redis"],
    ["executor.timing", { ...working, timing: "soon" }],
    ["executor.name", { ...working, name: undefined }],
    ["executor.execute", { timing: "now", name: "map" }],
    ["executor.slotOf", { ...working, slotOf: 3 }],
    ["executor.blamesNode", { ...working, blamesNode: true }],
    ["executor.within", { ...working, within: {} }],
  ] as const;

  test.each(wrong)("is refused, naming %s: %j", (field, executor) => {
    expect(() => resilient(executor as never)).toThrow(
      expect.objectContaining({ code: "bad-store", field }),
    );
  });

  test("nor is what `within` returns", () => {
    const store = resilient({ ...working, within: () => ({ timing: "later" }) as never });
    expect(() => store.within?.({})).toThrow(
      expect.objectContaining({ code: "bad-store", field: "executor.name" }),
    );
  });
});

describe("an answer to an ask for a lease that is none", () => {
  const jobs = planFor("jobs", { kind: "concurrency", capacity: 3, ttl: "1m" });
  const wanted = {
    verb: "limit",
    budgets: [{ plan: jobs, key: "k", count: 2, reserve: false, lease: { id: 7, headroom: 0 } }],
  } as const;
  const answers = [{}, { answer: undefined }, { answer: true }, { answer: [] }, undefined];

  /** What it answers, and the leases that it was asked to release. */
  function setUp<M extends Timing>(timing: M, answer: unknown) {
    const released = Promise.withResolvers<LeaseRef>();
    const outcomeOf = (command: Command) => {
      if (command.verb === "limit") return answer;
      if (command.verb === "release") released.resolve(command.lease);
      return { answer: true };
    };
    const execute = (commands: readonly Command[]) => {
      const outcomes = commands.map(outcomeOf) as readonly CommandOutcome[];
      return timing === "now" ? outcomes : Promise.resolve(outcomes);
    };
    const executor = { timing, name: "map", execute } as unknown as Executor<M>;
    return { store: resilient(executor), released: released.promise };
  }

  test.each(answers)("later: %j refuses, and the lease is released", async (answer) => {
    const { store, released } = setUp("later", answer);
    expect(await store.execute(wanted)).toMatchObject([{ ok: false, reason: "unavailable" }]);
    expect(await released).toEqual({ id: 7, count: 2 });
  });

  test.each(answers)("now: %j refuses, and the lease is released", async (answer) => {
    const { store, released } = setUp("now", answer);
    expect(store.execute(wanted)).toMatchObject([{ ok: false, reason: "unavailable" }]);
    expect(await released).toEqual({ id: 7, count: 2 });
  });

  test("an error is an answer: nothing was granted, and nothing is released", async () => {
    const verbs: string[] = [];
    const execute = async (commands: readonly Command[]) => {
      verbs.push(...commands.map(({ verb }) => verb));
      return commands.map(() => ({ error: new Error("not ours") }));
    };
    const store = resilient({ timing: "later", name: "map", execute });
    expect(await store.execute(wanted)).toMatchObject([{ ok: false, reason: "unavailable" }]);
    await expect(store.execute({ verb: "value", budgets: [ask] })).rejects.toThrow("not ours");
    expect(verbs).toEqual(["limit", "value"]);
  });
});
