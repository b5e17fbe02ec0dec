import type { Scheduler } from "../../limits/core/index.ts";
import type { Signal } from "../../shedding/index.ts";
import { Samples, shareSinceAsked } from "./readings.ts";
import type { VirtualTime } from "./virtual-time.ts";

/**
 * How many links of a promise chain run after a callback. Longer chains go on after the next
 * callback.
 */
const HOPS = 24;

/** CPU time that was used: its start and its length, in milliseconds. */
export type CpuUse = { readonly from: number; readonly ms: number };

type Due = { readonly since: number; readonly call: () => void; readonly isPlain: boolean };

/**
 * The event loop of one Node process in virtual time. Its callbacks run one after the other.
 *
 * A turn begins with a poll phase, which delivers in order everything that was due at its start. A
 * check phase follows, which calls everything that `afterTurn` queued before that phase. At the
 * end, closed sockets report that they are closed. Timers have no phase of their own. Promises
 * continue after each callback, except after plain ones.
 */
export class EventLoop implements Scheduler {
  readonly #time: VirtualTime;
  readonly #onBurn: (burn: CpuUse) => void;
  readonly #lateness = new Samples();
  #due: Due[] = [];
  #afterTurn: (() => void)[] = [];
  #afterChecks: (() => void)[] = [];
  #idle = 0;
  #crash: { readonly error: unknown } | undefined;

  constructor(time: VirtualTime, onBurn: (burn: CpuUse) => void = () => {}) {
    this.#time = time;
    this.#onBurn = onBurn;
  }

  readonly elapsed = (): number => this.#time.now;

  /** Delays like `setTimeout`: by whole milliseconds, at least one. */
  readonly afterDelay = (ms: number, call: () => void): void => {
    const at = this.#time.now + Math.max(1, Math.trunc(ms));
    this.#time.plan({ at, call: () => this.deliver(call) });
  };

  readonly alarm = (ms: number, call: () => void): (() => void) => {
    let isCancelled = false;
    this.afterDelay(ms, () => {
      if (!isCancelled) call();
    });
    return () => {
      isCancelled = true;
    };
  };

  readonly afterTurn = (call: () => void): void => {
    this.#afterTurn.push(call);
  };

  /** Calls a function after the check phase of this turn. For use in the poll phase only. */
  afterChecks(call: () => void): void {
    this.#afterChecks.push(call);
  }

  /** Uses the CPU for some milliseconds. Callbacks that become due in that time wait. */
  readonly burn = (ms: number): void => {
    if (ms <= 0) return;
    const from = this.#time.now;
    this.#time.goTo(from + ms);
    this.#onBurn({ from, ms });
  };

  /** Queues a callback that is due now, such as a readable socket or an expired timer. */
  deliver(call: () => void): void {
    this.#due.push({ since: this.#time.now, call, isPlain: false });
  }

  /** Queues a callback that is due now and leaves no promise to continue: it needs no wait. */
  deliverPlain(call: () => void): void {
    this.#due.push({ since: this.#time.now, call, isPlain: true });
  }

  /** Ends the run with an error, as an uncaught error does. */
  readonly crash = (error: unknown): void => {
    this.#crash ??= { error };
  };

  /** Returns a reader of the share of time in which the process was busy, since its last call. */
  utilization(): Signal {
    const possible = this.elapsed;
    return shareSinceAsked({ busy: () => possible() - this.#idle, possible });
  }

  /** Returns a reader of the delivery delays since its last call: a quantile, in milliseconds. */
  delay(rank = 0.99): () => number | undefined {
    return this.#lateness.reader(rank);
  }

  /**
   * Runs turn after turn until `isOver` returns true or no event is left.
   *
   * @throws The error of a callback, or the one that was passed to `crash`.
   */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (this.#due.length > 0 || this.#afterTurn.length > 0) await this.#turn();
      else if (!this.#wait()) return;
    }
  }

  #wait(): boolean {
    const before = this.#time.now;
    const hasHappened = this.#time.goOn();
    this.#idle += this.#time.now - before;
    return hasHappened;
  }

  async #turn(): Promise<void> {
    const due = this.#due;
    this.#due = [];
    for (const { since, call, isPlain } of due) {
      this.#lateness.add(this.#time.now - since);
      if (isPlain) call();
      else await this.#call(call);
    }
    const calls = this.#afterTurn;
    this.#afterTurn = [];
    for (const call of calls) await this.#call(call);
    for (const call of this.#afterChecks.splice(0)) await this.#call(call);
  }

  async #call(call: () => void): Promise<void> {
    call();
    // Each await runs every promise callback that is ready: one link of each chain.
    for (let hop = 0; hop < HOPS; hop++) await undefined;
    if (this.#crash !== undefined) throw this.#crash.error;
  }
}
