/** The calls of one limiter that wait for leases, before and after their code is loaded. */
import { type Ask, budgetId, type Mode, timersEndWithRequests } from "../../limits/core/index.ts";
import type { Later } from "../later.ts";
import type { CheckedWait } from "../options.ts";
import type { BudgetQueues } from "./budget-queues.ts";
import { EarlyCalls } from "./early-calls.ts";
import type { WaitingCall } from "./turn-away.ts";
import type { WaiterSettings } from "./waiter.ts";
import type { QueueSettings } from "./waiter-queue.ts";

/** The settings of the queues, without what is loaded with them. */
export type WaitingSettings<M extends Mode> = Omit<QueueSettings<M>, keyof WaiterSettings>;

type FreedUnits<M extends Mode> = Parameters<BudgetQueues<M>["freed"]>;

/** Lets calls wait: in the queues of their budgets, and in short ones until these are loaded. */
export class WaitingCalls<M extends Mode> {
  readonly #settings: WaitingSettings<M>;
  readonly #later: Later;
  #queues: BudgetQueues<M> | undefined;
  /** The calls that came before the code, by budget; on some runtimes each call alone. */
  readonly #early = new Map<string | Ask, EarlyCalls<M>>();

  constructor(settings: WaitingSettings<M>, later: Later) {
    this.#settings = settings;
    this.#later = later;
  }

  /** Waits until a call is admitted. Resolves with the last refusal if its time is over before. */
  join(ask: Ask, wait: CheckedWait): Promise<WaitingCall> {
    if (wait.signal?.aborted) return Promise.reject(wait.signal.reason);
    const id = timersEndWithRequests ? ask : budgetId(ask);
    const early = this.#early.get(id);
    if (early === undefined && this.#loaded !== undefined) return this.#loaded.join(ask, wait);
    return (early ?? this.#open(id)).join(ask, wait);
  }

  /** Lets the first call of a budget ask, because units have been released. */
  freed(...units: FreedUnits<M>): void {
    this.#queues?.freed(...units);
    if (this.#early.size > 0) this.#early.get(budgetId(units[0]))?.freed();
  }

  get #loaded(): BudgetQueues<M> | undefined {
    this.#queues ??= this.#later.parts?.queues(this.#settings);
    return this.#queues;
  }

  #open(id: string | Ask): EarlyCalls<M> {
    const { store, most, anew } = this.#settings;
    const queue = () => {
      const loaded = this.#loaded;
      return loaded && ((ask: Ask, wait: CheckedWait) => loaded.join(ask, wait));
    };
    const emptied = () => {
      if (this.#early.get(id) === early) this.#early.delete(id);
    };
    const load = () => this.#later.load();
    const early: EarlyCalls<M> = new EarlyCalls({ store, most, anew, load, queue, emptied });
    this.#early.set(id, early);
    return early;
  }
}
