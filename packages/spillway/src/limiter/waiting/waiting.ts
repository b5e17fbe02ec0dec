/** Asks that wait for a lease: first come, first served, for each budget of one limiter. */
import { RecentMap } from "../../internal/index.ts";
import {
  type Ask,
  type Budget,
  budgetId,
  type Mode,
  timersEndWithRequests,
} from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";
import { Queue, type QueueSettings } from "./queue.ts";
import { Slice } from "./slice.ts";
import type { Turn } from "./waiter.ts";

/** Budgets of which is known how long their units were handed over here, though nobody waits now. */
const MOST_SLICES = 1000;

/** Asks that wait, by budget. */
export class Waiting<M extends Mode> {
  readonly #settings: QueueSettings<M>;
  readonly #queues = new Map<string, Queue<M>>();
  /** Those used last are the last. */
  readonly #slices = new RecentMap<string, Slice>(MOST_SLICES);

  constructor(settings: QueueSettings<M>) {
    this.#settings = settings;
  }

  /** Waits for a call to be admitted; the last refusal where it isn't in time. */
  join(ask: Ask, wait: CheckedWait): Promise<Turn> {
    if (wait.signal?.aborted) return Promise.reject(wait.signal.reason);
    if (timersEndWithRequests) return this.#joinAlone(ask, wait);
    const id = budgetId(ask);
    const queue = this.#queues.get(id) ?? this.#open(id);
    return queue.join(ask, wait);
  }

  /**
   * Waits in no line. Its turn may be that of a request which is over, and who is given a lease by the code of another
   * request may never receive it: so each asks for itself, in its own request.
   */
  #joinAlone(ask: Ask, wait: CheckedWait): Promise<Turn> {
    return new Queue(this.#settings, new Slice(), () => {}).join(ask, wait);
  }

  /** Whoever is first in line for a budget may ask: units have come back. */
  freed(budget: Budget, units: number, ms: number): void {
    if (this.#slices.size === 0 && this.#queues.size === 0) return;
    const id = budgetId(budget);
    this.#slices.get(id)?.freed(units, ms);
    this.#queues.get(id)?.freed(units);
  }

  #open(id: string): Queue<M> {
    const queue = new Queue(this.#settings, this.#sliceOf(id), () => this.#queues.delete(id));
    this.#queues.set(id, queue);
    return queue;
  }

  /** Undefined where nobody but this process has the units. */
  #sliceOf(id: string): Slice | undefined {
    if (this.#settings.store.isOwn) return undefined;
    const slice = this.#slices.get(id) ?? new Slice();
    this.#slices.set(id, slice);
    return slice;
  }
}
