import type { Ask, Budget, Decision, LeaseRef } from "../core/index.ts";
import type { Breaker } from "./breaker.ts";
import { type OnEvent, tellSafely } from "./events.ts";
import { type Fallback, unavailable } from "./fallback.ts";
import type { Pending } from "./pending.ts";

/** What calls are answered by where the store gives no answer. */
export type AnswersSettings = {
  readonly fallback: Fallback;
  /** Milliseconds after which a refusal says to come back, at least. */
  readonly deadline: number;
  readonly onEvent: OnEvent | undefined;
  /** Called for a release that the store has not confirmed. */
  readonly unreleased: (budget: Budget, held: LeaseRef) => void;
};

/** The breaker of the node that gives no answer. */
type Failing = { readonly breaker: Breaker };

/** Answers calls without the store. */
export class Answers {
  readonly #settings: AnswersSettings;

  constructor(settings: AnswersSettings) {
    this.#settings = settings;
  }

  /** Answers a call as its limits say for an outage, or says that it can't be answered. */
  without(one: Pending, error: Error, node: Failing): void {
    this.#answer(one, error, (asks, take) =>
      this.#settings.fallback.answer(asks, take, this.#retryAfter(node)),
    );
  }

  /** Refuses a call whatever its limits say of outages, for this is none. */
  refuse(one: Pending, error: Error, node: Failing): void {
    this.#answer(one, error, (asks) =>
      this.#settings.fallback.refuse(asks, this.#retryAfter(node)),
    );
  }

  #answer(
    one: Pending,
    error: Error,
    decide: (asks: readonly Ask[], take: boolean) => readonly Decision[],
  ): void {
    const { operation, budgets } = one.call;
    const take = operation === "limit" || operation === "limitAll";
    if (!take && operation !== "check" && operation !== "checkAll") {
      this.#reject(one, error);
      return;
    }
    const asks = budgets as readonly Ask[];
    try {
      const decisions = decide(asks, take);
      this.#tellOf(asks, decisions);
      const single = operation === "limit" || operation === "check";
      one.resolve((single ? decisions[0] : decisions) as never);
    } catch (thrown) {
      // Whatever goes wrong here, nobody waits for ever.
      one.reject(thrown as Error);
    }
  }

  /** For what has no answer without the store. */
  #reject({ call: { operation, budgets, held }, reject }: Pending, error: Error): void {
    const [budget] = budgets as readonly [Budget];
    if (operation === "release") this.#settings.unreleased(budget, held as LeaseRef);
    reject(unavailable(operation, budget.plan.limit, error));
  }

  #retryAfter({ breaker }: Failing): number {
    return Math.max(breaker.pauseLeft(), this.#settings.deadline);
  }

  #tellOf(asks: readonly Ask[], decisions: readonly Decision[]): void {
    asks.forEach(({ plan }, index) => {
      const { ok } = decisions[index] as Decision;
      const { limit, whenUnavailable } = plan;
      tellSafely(this.#settings.onEvent, { type: "degraded", limit, whenUnavailable, ok });
    });
  }
}
