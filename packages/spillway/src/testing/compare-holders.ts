/**
 * Compares processes that hold units of a store with processes that hold units of a memory store.
 * In half of the runs there is a deploy: one process after the other changes to other definitions.
 * It keeps the units that it holds.
 */
import { RateLimiter } from "../limiter/index.ts";
import type { Decision, Limit, Limits, Random, Store, Timing } from "../limits/core/index.ts";
import { lent } from "../stores/index.ts";
import type { Comparison, TestedLimiter } from "./cases.ts";
import { sampleLent } from "./compare-shares.ts";
import { expectEqual } from "./expect.ts";
import type { ManualClock } from "./manual-clock.ts";
import { sampleAsk, sampleLimit, whole } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";

const PROCESSES = 2;
const STEPS = 120;

/**
 * Compares the decisions of processes that hold units of a store with those over a memory store.
 *
 * All pending requests of the processes are answered before the next call, so both sides run in the
 * same order.
 */
export async function compareHolders({ store, ours, clock, seed }: Comparison): Promise<void> {
  const random = seededRandom(seed);
  const versions = [sampleLimits(random), sampleLimits(random)];
  const isDeployed = random() < 0.5;
  const sideOf = (one: Store<Timing>) => new ComparedStore(one, { versions, clock, seed });
  const [here, there] = [sideOf(store), sideOf(ours)];
  for (let step = 0; step < STEPS; step++) {
    const where = `seed ${seed}, step ${step}, ${JSON.stringify(versions)}`;
    const who = whole(random, { low: 0, high: PROCESSES - 1 });
    const version = isDeployed && step >= (STEPS / 4) * (1 + who) ? 1 : 0;
    const call = sampleCall(random, versions[version] as SampledLimits);
    const asker = { who, version };
    expectEqual(await here.answer(asker, call), await there.answer(asker, call), where);
    clock.advance(random() < 0.6 ? 0 : whole(random, { low: 0, high: random() < 0.1 ? 5000 : 90 }));
  }
  expectEqual(await here.end(), await there.end(), `seed ${seed}, at the end`);
}

type SampledLimits = { readonly a: Limit; readonly b: Limit; readonly plain: Limit };
/** A process, and the version of its limits. Both are indexes. */
type CallerVersion = { readonly who: number; readonly version: number };
type LimiterCall = (limiter: TestedLimiter) => unknown;

/** A store, and the processes that hold units of it. */
class ComparedStore {
  readonly #pending = new Set<Promise<unknown>>();
  readonly #stores: readonly Store<"later">[];
  /** The limiters, by version and by process. */
  readonly #limiters: readonly (readonly TestedLimiter[])[];
  readonly #direct: TestedLimiter;

  constructor(
    store: Store<Timing>,
    {
      versions,
      clock,
      seed,
    }: { versions: readonly SampledLimits[]; clock: ManualClock; seed: number },
  ) {
    const scheduler = { elapsed: clock, afterDelay() {} };
    const warn = () => {};
    const raw = this.#reached(store);
    this.#stores = Array.from({ length: PROCESSES }, (_, index) =>
      lent(raw, { clock, scheduler, random: seededRandom(seed + 1000 * index), warn }),
    );
    const over = (one: Store<Timing>, limits: Limits) =>
      new RateLimiter(limits, { store: one, warn });
    this.#limiters = versions.map((limits) => this.#stores.map((one) => over(one, limits)));
    this.#direct = over(raw, versions[0] as SampledLimits);
  }

  /** Returns the answer of a process, and the lending numbers of all processes after it. */
  async answer({ who, version }: CallerVersion, call: LimiterCall): Promise<unknown> {
    const answer = await call(this.#limiters[version]?.[who] as TestedLimiter);
    await this.#settled();
    return { answer, numbers: this.#stores.map(({ lending }) => lending?.numbers()) };
  }

  /** Gives back all held units. Returns the decisions about each key after that. */
  async end(): Promise<unknown> {
    for (const { lending } of this.#stores) await lending?.giveBack();
    const keys = ["key 0", "key 1"];
    const left: Decision[] = [];
    for (const key of keys)
      for (const name of ["a", "b"]) left.push(await this.#direct.check(name, { key }));
    return left;
  }

  async #settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /**
   * Wraps the store so that it answers later, as over a network, and records its pending answers.
   */
  #reached(store: Store<Timing>): Store<"later"> {
    return {
      timing: "later",
      execute: (command) => {
        const answer = Promise.resolve(store.execute(command));
        const done = answer.finally(() => this.#pending.delete(done));
        this.#pending.add(done);
        return answer;
      },
    } as Store<"later">;
  }
}

function sampleLimits(random: Random): SampledLimits {
  return { a: sampleLent(random), b: sampleLent(random), plain: sampleLimit(random) };
}

/** Returns a random call of a process. Most calls take units. */
function sampleCall(random: Random, limits: SampledLimits): LimiterCall {
  const draw = (high: number) => whole(random, { low: 0, high });
  const names = ["a", "b", "plain"] as const;
  const limit = names[draw(9) % 3] as (typeof names)[number];
  const key = `key ${draw(4) === 0 ? 1 : 0}`;
  const ask = { key, ...sampleAsk(random, limits[limit]) };
  const joint = names.slice(0, 2 + draw(1)).map((name) => ({ limit: name, key, count: draw(2) }));
  const settlement = { key, reserved: ask.count, used: draw(5) };
  const rare = draw(8);
  const calls: readonly LimiterCall[] = [
    (limiter) => limiter.check(limit, ask),
    (limiter) => limiter.limitAll(joint),
    (limiter) => limiter.limitAll(joint),
    (limiter) => limiter.checkAll(joint),
    (limiter) => limiter.settle(limit, settlement),
    (limiter) => limiter.value(limit, { key }),
    (limiter) => (rare === 0 ? limiter.reset(limit, { key }) : limiter.limit(limit, ask)),
    (limiter) => (rare === 1 ? limiter.block(limit, { key, for: 300 }) : limiter.limit(limit, ask)),
    (limiter) => (rare === 2 ? limiter.unblock(limit, { key }) : limiter.limit(limit, ask)),
  ];
  const few = { key, count: 1 };
  return calls[draw(2 * calls.length)] ?? ((limiter) => limiter.limit(limit, few));
}
