/**
 * The queues of calls that wait for a lease, for each budget of one limiter: first come, first
 * served.
 */
import { RecentMap } from "../../internal/index.ts";
import {
  type Ask,
  type Budget,
  budgetId,
  type Timing,
  timersEndWithRequests,
} from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";
import { HandoverWindow } from "./handover-window.ts";
import type { QueueSettings } from "./queue-settings.ts";
import type { WaitingCall } from "./waiter.ts";
import { WaiterQueue } from "./waiter-queue.ts";

/** The maximum number of budgets whose handover windows are remembered while no call waits. */
const MOST_HANDOVERS = 1000;

/** The waiting calls, by budget. */
export class BudgetQueues<M extends Timing> {
  readonly #settings: QueueSettings<M>;
  readonly #queues = new Map<string, WaiterQueue<M>>();
  /** The handover windows by budget, the most recently used last. */
  readonly #handovers = new RecentMap<string, HandoverWindow>(MOST_HANDOVERS);

  constructor(settings: QueueSettings<M>) {
    this.#settings = settings;
  }

  /** Waits until a call is admitted. Resolves with the last refusal if its time is over before. */
  join(ask: Ask, wait: CheckedWait): Promise<WaitingCall> {
    if (wait.signal?.aborted) return Promise.reject(wait.signal.reason);
    if (timersEndWithRequests) return this.#joinAlone(ask, wait);
    const id = budgetId(ask);
    const queue = this.#queues.get(id) ?? this.#open(id);
    return queue.join(ask, wait);
  }

  /**
   * Waits outside of any queue, for runtimes whose timers end with the request that started them.
   *
   * In a queue, the code of another request could grant the lease. That request may be over, or the
   * caller may never receive the lease. So each call asks the store separately, in its own request.
   */
  #joinAlone(ask: Ask, wait: CheckedWait): Promise<WaitingCall> {
    return new WaiterQueue(this.#settings, new HandoverWindow(), () => {}).join(ask, wait);
  }

  /** Lets the first waiter of a budget ask, because units have been released. */
  freed(budget: Budget, units: number, ms: number): void {
    if (this.#handovers.size === 0 && this.#queues.size === 0) return;
    const id = budgetId(budget);
    this.#handovers.get(id)?.freed(units, ms);
    this.#queues.get(id)?.freed(units);
  }

  /** Lets all waiters go on by the present definitions and modes of their limits. */
  changed(): void {
    for (const queue of this.#queues.values()) queue.changed();
  }

  #open(id: string): WaiterQueue<M> {
    const queue = new WaiterQueue(this.#settings, this.#handoverOf(id), () =>
      this.#queues.delete(id),
    );
    this.#queues.set(id, queue);
    return queue;
  }

  /** Returns how long units may be handed over here; undefined if no other process uses them. */
  #handoverOf(id: string): HandoverWindow | undefined {
    if (this.#settings.store.isOwn) return undefined;
    const handover = this.#handovers.get(id) ?? new HandoverWindow();
    this.#handovers.set(id, handover);
    return handover;
  }
}
