import { decide, tell, untaken } from "../algorithms/index.ts";
import {
  type Ask,
  type Budget,
  budgetId,
  type Clock,
  type Decision,
  type Sight,
} from "../core/index.ts";
import type { Refused, Witness } from "./replay.ts";

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
  readonly sight: Sight;
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
  /** When a budget was last changed here: what was asked before may not know it. */
  #changed = Number.NEGATIVE_INFINITY;

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
      return answer.ok ? untaken(answer, tell(state, (asks[index] as Ask).plan, now)) : answer;
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
      refused: (all) => this.#note(all, asked),
      changed: (budget) => this.forget(budget),
    };
  }

  #note(refused: readonly Refused[], asked: number): void {
    if (asked <= this.#changed) return;
    for (const { budget, sight, count } of refused) {
      const id = budgetId(budget);
      this.#known.delete(id);
      this.#known.set(id, { sight, count, asked });
    }
    for (const id of this.#known.keys()) {
      if (this.#known.size <= this.#most) return;
      this.#known.delete(id);
    }
  }

  /** Forgets what is known of a budget, for it is about to change. */
  forget(budget: Budget): void {
    this.#known.delete(budgetId(budget));
    this.#changed = this.#clock();
  }

  /** What is known of all budgets, as of now; undefined where something is not, or is too old. */
  #sightsOf(asks: readonly Ask[]): readonly Sight[] | undefined {
    const sights: Sight[] = [];
    for (const ask of asks) {
      const known = this.#known.get(budgetId(ask));
      if (known === undefined || known.sight.state.plan !== ask.plan) return undefined;
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
