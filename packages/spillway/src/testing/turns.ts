/** Several definitions of one limit in use at once: what a rolling deploy may admit, and has to. */
import { planFor } from "../limits/algorithms/index.ts";
import type { Limit, Mode, Plan, Random, Store } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { asking } from "./asking.ts";
import type { ManualClock } from "./manual-clock.ts";
import { whole } from "./sample.ts";

/** One ask under one of the definitions, by its place, after a pause in milliseconds. */
export type TurnOfAsk = {
  readonly which: number;
  readonly pause: number;
  readonly count: number;
  readonly reserve: boolean;
};

/** What is asked, of which store. */
export type AlternatingCalls = {
  readonly store: Store<Mode>;
  readonly clock: ManualClock;
  readonly limits: readonly Limit[];
  readonly turns: readonly TurnOfAsk[];
};

const KEY = "k";

/** One definition: beside the others, and in a store of its own that nobody else asks. */
class TestedDefinition {
  readonly plan: Plan;
  readonly alone: Store<"now">;
  #id: number;

  constructor(limit: Limit, { place, clock }: { place: number; clock: ManualClock }) {
    this.plan = planFor("it", limit);
    this.alone = memoryStore({ clock });
    this.#id = place * 1_000_000;
  }

  /** A call as this kind can be asked. */
  ask({ count, reserve }: Pick<TurnOfAsk, "count" | "reserve">) {
    const { plan } = this;
    const lease = plan.family.name === "leases" ? { id: ++this.#id, headroom: 0 } : undefined;
    return { plan, key: KEY, count, reserve: reserve && plan.reservable, lease };
  }
}

/**
 * Whatever takes turns, each definition admits only what it would have admitted alone: so all together
 * admit no more than all would apart.
 *
 * @throws Error where one admits more.
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
 * Once all have been asked for a while, a key is admitted at least what each definition would admit
 * alone of what it is itself asked, even if it began with nothing left.
 *
 * @param options.settled From which step on they are compared.
 * @throws Error where it is admitted less.
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
    if ((await asking(store).limit(ask)).ok) admitted += ask.count;
    if (step >= settled && asking(alone).limit(ask).ok)
      least[turn.which] = (least[turn.which] ?? 0) + ask.count;
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

/** Turns at random, of any length. */
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
