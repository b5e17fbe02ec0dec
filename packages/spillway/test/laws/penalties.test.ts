/** Laws 1, 2 and 8 for limits with `penalty`, beside a model that counts by itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type {
  Ask,
  Decision,
  PenaltySettings,
  RateKind,
  Store,
} from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { type ManualClock, manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { connect } from "../stores/sqlite/drivers.ts";
import { KINDS } from "./arbitrary.ts";
import { PenaltyModel } from "./penalty-model.ts";
import { smallLimit } from "./small-definitions.ts";

const key = "k";

type Opened = { readonly store: Store<"now">; readonly limit: (ask: Ask) => Decision };

/** The ways to a decision that have code of their own. */
const WAYS: readonly { readonly name: string; readonly open: (clock: ManualClock) => Opened }[] = [
  {
    name: "memory",
    open(clock) {
      const store = memoryStore({ clock });
      return { store, limit: (ask) => store.limit(ask) };
    },
  },
  {
    name: "memory, jointly",
    open(clock) {
      const store = memoryStore({ clock });
      const other = { plan: planFor("other", { kind: "token bucket", rate: 1e9, period: 1 }) };
      const free = { ...other, key: undefined, count: 1, reserve: false };
      return { store, limit: (ask) => asking(store).limitAll([free, ask])[1] as Decision };
    },
  },
  {
    name: "SQLite",
    open(clock) {
      const store = sqliteStore(connect(":memory:"), { clock });
      return { store, limit: (ask) => asking(store).limit(ask) };
    },
  },
];

const penalties: fc.Arbitrary<PenaltySettings> = fc
  .record({
    after: fc.integer({ min: 1, max: 4 }),
    within: fc.integer({ min: 1, max: 3000 }),
    block: fc.integer({ min: 1, max: 1500 }),
    more: fc.nat(5000),
  })
  .map(({ more, ...penalty }) => ({ ...penalty, most: penalty.block + more }));

/** Calls on one key. Most are asks, many too many. */
const calls = fc.array(
  fc.record({
    pause: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(4000)),
    verb: fc.constantFrom("limit", "limit", "limit", "limit", "check", "reset", "unblock", "block"),
    isRare: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
    count: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 14 })),
    reserve: fc.boolean(),
    ms: fc.integer({ min: 1, max: 2000 }),
  }),
  { minLength: 1, maxLength: 80, size: "max" },
);

const scenes = (kind: RateKind) => fc.tuple(smallLimit(kind), penalties, calls);

type Scene = ReturnType<typeof scenes> extends fc.Arbitrary<infer S> ? S : never;

/** Plays calls on a store and on the model, and compares each decision and value. */
function play({ open }: (typeof WAYS)[0], [limit, penalty, drawn]: Scene) {
  const clock = manualClock();
  const { store, limit: take } = open(clock);
  const plan = planFor("it", limit);
  const settings = { whenUnavailable: "closed", shards: 1, penalty } as const;
  const model = new PenaltyModel(plan, penalty, clock);
  let last: { readonly ask: Ask; readonly decision: Decision } | undefined;
  for (const [step, { pause, verb, isRare, count, ms, ...more }] of drawn.entries()) {
    clock.advance(pause);
    const reserve = more.reserve && plan.reservable;
    const ask = { plan, key, settings, count, reserve };
    const where = `step ${step}`;
    if (verb === "check") {
      expect(asking(store).check(ask), where).toEqual(model.check(ask));
    } else if (verb === "limit" || !isRare) {
      const decision = take(ask);
      expect(decision, where).toEqual(model.limit(ask));
      last = { ask, decision };
    } else {
      if (verb === "block") asking(store).block(ask, ms);
      else asking(store)[verb](ask);
      model[verb](ms);
    }
    const { blockedFor, penalized } = asking(store).value(ask);
    expect({ blockedFor, penalized }, where).toEqual(model.value());
    if (penalized) expect(blockedFor, where).toBeLessThanOrEqual(penalty.most);
  }
  return { clock, store, last };
}

describe.each(WAYS)("penalties, $name", (way) => {
  test.each(KINDS)("a %s blocks as the model, and else decides as without", (kind) => {
    fc.assert(
      fc.property(scenes(kind), (scene) => {
        play(way, scene);
      }),
      { numRuns: runs(way.name === "SQLite" ? 60 : 200) },
    );
  });

  test.each(KINDS)("law 2: whoever waits out the penalty of a %s is admitted", (kind) => {
    fc.assert(
      fc.property(scenes(kind), (scene) => {
        const { clock, store, last } = play(way, scene);
        const { reason, retryAfter = 0 } = last?.decision ?? {};
        fc.pre(reason === "penalized" && retryAfter < Number.POSITIVE_INFINITY);
        const { ask } = last as { readonly ask: Ask };
        fc.pre(asking(store).check(ask).retryAfter === retryAfter);
        clock.advance(retryAfter - 1);
        expect(asking(store).check(ask).ok, "a millisecond before").toBe(false);
        clock.advance(1);
        expect(asking(store).limit(ask).ok, "at its end").toBe(true);
      }),
      { numRuns: runs(30) },
    );
  });
});
