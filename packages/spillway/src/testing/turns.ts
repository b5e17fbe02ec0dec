/**
 * Several definitions of one limit in use at once: how much a rolling deploy may admit, and how
 * much it must admit.
 */
import { planFor } from "../limits/algorithms/index.ts";
import type { Limit, Plan, Random, Store, Timing } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { asking } from "./asking.ts";
import type { ManualClock } from "./manual-clock.ts";
import { whole } from "./sample.ts";

/**
 * One call under a definition, after a pause in milliseconds. `which` is the index of the
 * definition.
 */
export type TurnOfAsk = {
  readonly which: number;
  readonly pause: number;
  readonly count: number;
  readonly reserve: boolean;
};

/** The store under test, the definitions, and the calls. */
export type AlternatingCalls = {
  readonly store: Store<Timing>;
  readonly clock: ManualClock;
  readonly limits: readonly Limit[];
  readonly turns: readonly TurnOfAsk[];
};

const KEY = "k";

/** One definition under test, with a memory store of its own that no other definition uses. */
class TestedDefinition {
  readonly plan: Plan;
  readonly alone: Store<"now">;
  #id: number;

  constructor(limit: Limit, { place, clock }: { place: number; clock: ManualClock }) {
    this.plan = planFor("it", limit);
    this.alone = memoryStore({ clock });
    this.#id = place * 1_000_000;
  }

  /**
   * Returns an ask for the store. It has a lease or a reservation only if the kind of limit allows
   * it.
   */
  ask({ count, reserve }: Pick<TurnOfAsk, "count" | "reserve">) {
    const { plan } = this;
    const lease = plan.family.name === "leases" ? { id: ++this.#id, headroom: 0 } : undefined;
    return { plan, key: KEY, count, reserve: reserve && plan.reservable, lease };
  }
}

/**
 * Checks that each definition admits only what it would have admitted alone. So all definitions
 * together never admit more than they would apart.
 *
 * @throws Error if one admits more.
 */
export async function admitsNoMoreThanApart({
  store,
  clock,
  limits,
  turns,
}: AlternatingCalls): Promise<void> {
  const definitions = limits.map((limit, place) => new TestedDefinition(limit, { place, clock }));
  for (const [step, turn] of turns.entries()) {
    clock.advance(turn.pause);
    const { ask, alone, where } = asked(definitions, turn, step);
    const { ok } = await asking(store).limit(ask);
    if (ok && !asking(alone).limit(ask).ok)
      throw new Error(`${where}: admitted, and not if it were alone`);
  }
}

/**
 * Checks that at least as much is admitted as each definition alone would admit of its own calls.
 * Each definition alone begins with nothing left, at step `settled`.
 *
 * @param options.settled The step from which admitted calls are counted, here and alone.
 * @throws Error if less is admitted.
 */
export async function admitsNoLessThanAlone(
  { store, clock, limits, turns }: AlternatingCalls,
  { settled }: { readonly settled: number },
): Promise<void> {
  const definitions = limits.map((limit, place) => new TestedDefinition(limit, { place, clock }));
  const least = limits.map(() => 0);
  let admitted = 0;
  for (const [step, turn] of turns.entries()) {
    clock.advance(turn.pause);
    if (step === settled) for (const one of definitions) exhaust(one);
    const { ask, alone } = asked(definitions, turn, step);
    const { ok } = await asking(store).limit(ask);
    if (step < settled) continue;
    if (ok) admitted += ask.count;
    if (asking(alone).limit(ask).ok) least[turn.which] = (least[turn.which] ?? 0) + ask.count;
  }
  const strictest = Math.max(...least);
  if (admitted < strictest) throw new Error(`${admitted} admitted, at least ${strictest} expected`);
}

function exhaust(definition: TestedDefinition): void {
  asking(definition.alone).limit(
    definition.ask({ count: definition.plan.capacity, reserve: false }),
  );
}

function asked(definitions: readonly TestedDefinition[], turn: TurnOfAsk, step: number) {
  const definition = definitions[turn.which] as TestedDefinition;
  const where = `step ${step}, under definition ${turn.which}`;
  return { ask: definition.ask(turn), alone: definition.alone, where };
}

/** Returns random calls. `longest` is the longest pause, in milliseconds. */
export function sampleTurns(
  random: Random,
  { limits, steps, longest }: { limits: number; steps: number; longest: number },
): readonly TurnOfAsk[] {
  return Array.from({ length: steps }, () => ({
    which: whole(random, { low: 0, high: limits - 1 }),
    pause: random() < 0.3 ? 0 : whole(random, { low: 0, high: longest }),
    count: whole(random, { low: 1, high: random() < 0.7 ? 1 : 4 }),
    reserve: random() < 0.2,
  }));
}
