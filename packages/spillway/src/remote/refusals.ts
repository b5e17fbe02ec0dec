import { decide, notCharged, valueAt } from "../algorithms/index.ts";
import {
  type Ask,
  type Budget,
  budgetId,
  type Clock,
  type Decision,
  type Sight,
} from "../core/index.ts";
import type { Witness } from "./replay.ts";

/** How many refusals are remembered in this process, and how long. */
export type RefusalSettings = {
  /** The most keys that are remembered as refused: 1 to a million; 10 000 unless said. */
  readonly most?: number;
  /**
   * The most milliseconds for which a refusal is repeated without asking: 1 to an hour, 1000 unless
   * said. What another process has reset, settled or unblocked is seen after at most this time.
   */
  readonly maxAge?: number;
};

type Known = {
  /** Undefined where the budget was changed here: what was asked before may not know it. */
  readonly sight: Sight | undefined;
  /** For how large an ask all is known that its answer depends on. */
  readonly count: number;
  /** When it was asked about: never later than the instant of the sight. */
  readonly asked: number;
};

/**
 * States that stood in the way of an ask, kept in this process for a while: what is asked next is
 * worked out from them by the same steps, and where that is a refusal, it stands, for others can only
 * have taken more. So a flood on an exhausted key costs the store next to nothing.
 */
export class Refusals {
  readonly #most: number;
  readonly #maxAge: number;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  /** @param clock In milliseconds; only its differences matter. */
  constructor({ most, maxAge }: Required<RefusalSettings>, clock: Clock) {
    this.#most = most;
    this.#maxAge = maxAge;
    this.#clock = clock;
  }

  /** The answers to asks, if at least one is a refusal that stands; undefined if the store knows. */
  find(asks: readonly Ask[]): readonly Decision[] | undefined {
    const sights = this.#sightsOf(asks);
    if (sights === undefined) return undefined;
    const answers = asks.map((ask, index) => decideOn(ask, sights[index] as Sight));
    if (answers.every(({ ok }) => ok)) return undefined;
    return answers.map((answer, index) => {
      const { state, now } = sights[index] as Sight;
      return answer.ok
        ? notCharged(answer, valueAt(state, (asks[index] as Ask).plan, now))
        : answer;
    });
  }

  /** States of budgets none of which has a unit left; undefined if the store knows better. */
  look(budgets: readonly Budget[]): readonly Sight[] | undefined {
    const asks = budgets.map((budget) => ({ ...budget, count: 1, reserve: false }));
    const sights = this.#sightsOf(asks);
    const isSpent = sights?.every((sight, index) => !decideOn(asks[index] as Ask, sight).ok);
    return isSpent ? sights : undefined;
  }

  /** Learns from what comes of calls that set out at `asked`. */
  witness(asked: number): Witness {
    return {
      refused: (all) => {
        for (const { budget, sight, count } of all) this.#note(budget, { sight, count, asked });
      },
      // It may now refuse as well, or more: the store knows.
      taken: (budget) => void this.#known.delete(budgetId(budget)),
      changed: (budget) => this.forget(budget),
    };
  }

  /** Forgets what is known of a budget, and what answers under way will say of it. */
  forget(budget: Budget): void {
    this.#set(budgetId(budget), { sight: undefined, count: 0, asked: this.#clock() });
  }

  #note(budget: Budget, known: Known): void {
    const id = budgetId(budget);
    const before = this.#known.get(id);
    if (before !== undefined && before.sight === undefined && known.asked <= before.asked) return;
    this.#set(id, known);
  }

  #set(id: string, known: Known): void {
    this.#known.delete(id);
    this.#known.set(id, known);
    if (this.#known.size <= this.#most) return;
    const oldest = this.#known.keys().next();
    if (!oldest.done) this.#known.delete(oldest.value);
  }

  /** What is known of all budgets, as of now; undefined where something is not, or is too old. */
  #sightsOf(asks: readonly Ask[]): readonly Sight[] | undefined {
    const sights: Sight[] = [];
    for (const ask of asks) {
      const known = this.#known.get(budgetId(ask));
      if (known?.sight === undefined || known.sight.state.plan !== ask.plan) return undefined;
      const age = this.#clock() - known.asked;
      const isPartial = ask.plan.kind === "sliding log" && ask.count > known.count;
      if (age < 0 || age >= this.#maxAge || isPartial) return undefined;
      sights.push({ state: known.sight.state, now: known.sight.now + age });
    }
    return sights;
  }
}

function decideOn(ask: Ask, { state, now }: Sight): Decision {
  return decide(state, ask.plan, ask, now);
}
