/**
 * The parts of a limiter that only calls which wait, and work under leases, need.
 *
 * Loaded when one of them is first made: see `../later.ts`.
 */
import { AbortListeners, callTimer, Slices } from "../../internal/index.ts";
import { afterDelay, alarm, type Mode } from "../../limits/core/index.ts";
import { Renewals } from "../renewals.ts";
import { BudgetQueues } from "./budget-queues.ts";
import type { WaiterSettings } from "./waiter.ts";
import type { QueueSettings } from "./waiter-queue.ts";

/** The parts that all calls of a limiter share, within transactions and outside. */
export class LaterParts {
  /** Renews leases while work runs under them. */
  readonly renewals: Renewals = new Renewals(callTimer(afterDelay));
  readonly #slices = new Slices();
  // A waiting call keeps the program alive.
  readonly #timer = callTimer(alarm);
  readonly #signals = new AbortListeners(this.#slices);

  /** Creates the queues of calls on one store. */
  queues<M extends Mode>(settings: Omit<QueueSettings<M>, keyof WaiterSettings>): BudgetQueues<M> {
    const waiters = { timer: this.#timer, slices: this.#slices, signals: this.#signals };
    return new BudgetQueues({ ...settings, ...waiters });
  }
}
