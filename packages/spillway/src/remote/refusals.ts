import {
  type Ask,
  type Budget,
  budgetId,
  type Clock,
  type Decision,
  type Plan,
} from "../core/index.ts";

/** How many refusals are remembered in this process, and how long. */
export type RefusalSettings = {
  /** The most keys that are remembered as refused: 1 to a million; 10 000 unless said. */
  readonly most?: number;
  /**
   * The most milliseconds for which a refusal is repeated without asking: 1 to an hour, 1000 unless
   * said. A `reset` in another process is seen after at most this time.
   */
  readonly maxAge?: number;
};

type Answer = {
  readonly plan: Plan;
  readonly count: number;
  readonly asked: number;
  readonly decision: Decision;
};

/**
 * Refusals that can be repeated without the store: until its `retryAfter` a refusal stands, for asks
 * at least as large. So a flood on an exhausted key costs the store next to nothing.
 *
 * Asks taken together are refused together; for that, what the others had left is remembered too.
 */
export class Refusals {
  readonly #most: number;
  readonly #maxAge: number;
  readonly #clock: Clock;
  readonly #known = new Map<string, Answer>();
  /** When a budget was last changed here: what was asked before may not know it. */
  #changed = Number.NEGATIVE_INFINITY;

  /** @param clock In milliseconds; only its differences matter. */
  constructor({ most, maxAge }: Required<RefusalSettings>, clock: Clock) {
    this.#most = most;
    this.#maxAge = maxAge;
    this.#clock = clock;
  }

  /** The time by which refusals age. */
  now(): number {
    return this.#clock();
  }

  /** Answers that still stand for asks of which at least one is refused; undefined if none do. */
  find(asks: readonly Ask[]): readonly Decision[] | undefined {
    const answers: Decision[] = [];
    for (const ask of asks) {
      const answer = this.#standing(ask);
      if (answer === undefined) return undefined;
      answers.push(answer);
    }
    return answers.every(({ ok }) => ok) ? undefined : answers;
  }

  /**
   * Remembers the answers to asks of which at least one was refused.
   *
   * @param asked When they set out: never later than the instant at which they were decided.
   */
  note(asks: readonly Ask[], decisions: readonly Decision[], asked: number): void {
    if (asked <= this.#changed || decisions.every(({ ok }) => ok)) return;
    asks.forEach((ask, index) => {
      const decision = decisions[index] as Decision;
      if (ask.reserve || decision.degraded) return;
      const id = budgetId(ask);
      this.#known.delete(id);
      this.#known.set(id, { plan: ask.plan, count: ask.count, asked, decision });
    });
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

  #standing(ask: Ask): Decision | undefined {
    const answer = ask.reserve ? undefined : this.#known.get(budgetId(ask));
    if (answer === undefined || answer.plan !== ask.plan) return undefined;
    const { decision, count } = answer;
    if (decision.ok ? count !== ask.count : count > Math.max(1, ask.count)) return undefined;
    const age = this.#clock() - answer.asked;
    const good = decision.ok ? this.#maxAge : Math.min(decision.retryAfter, this.#maxAge);
    if (age < 0 || age >= good) return undefined;
    const { retryAfter, resetAfter } = decision;
    return {
      ...decision,
      retryAfter: Math.max(0, retryAfter - age),
      resetAfter: Math.max(0, resetAfter - age),
    };
  }
}
