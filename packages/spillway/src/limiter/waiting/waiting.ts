/** Asks that wait for a lease: first come, first served, for each budget of one limiter. */
import { type Ask, type Budget, budgetId, type Mode } from "../../core/index.ts";
import type { Patience } from "../options.ts";
import { Queue, type QueueSettings } from "./queue.ts";
import type { Turn } from "./waiter.ts";

/** Asks that wait, by budget. */
export class Waiting<M extends Mode> {
  readonly #settings: QueueSettings<M>;
  readonly #queues = new Map<string, Queue<M>>();

  constructor(settings: QueueSettings<M>) {
    this.#settings = settings;
  }

  /** Waits for an ask to be admitted; the last refusal where it isn't in time. */
  join(ask: Ask, patience: Patience): Promise<Turn> {
    if (patience.signal?.aborted) return Promise.reject(patience.signal.reason);
    const id = budgetId(ask);
    const queue = this.#queues.get(id) ?? new Queue(this.#settings, () => this.#queues.delete(id));
    this.#queues.set(id, queue);
    return queue.join(ask, patience);
  }

  /** Whoever is first in line for a budget may ask: units have come back. */
  freed(budget: Budget): void {
    if (this.#queues.size > 0) this.#queues.get(budgetId(budget))?.freed();
  }
}
