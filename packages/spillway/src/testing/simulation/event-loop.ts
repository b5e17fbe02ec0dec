import type { Scheduler } from "../../limits/core/index.ts";
import type { Signal } from "../../shedding/index.ts";
import { Samples, shareSinceAsked } from "./readings.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How many promises in a row continue after a callback; longer chains wait for the next one. */
const HOPS = 24;

/** CPU time that was used. */
export type CpuUse = { readonly from: number; readonly ms: number };

type Due = { readonly since: number; readonly call: () => void };

/**
 * The event loop of one Node process in virtual time: its callbacks run one after the other.
 *
 * A turn is a poll phase, in which all that was due when it began is delivered in order, and a
 * check phase, in which what was queued by `afterTurn` before it began is called; in the end, sockets
 * that were closed report it. Timers have no phase of their own. After each callback, promises
 * continue.
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

  /** As `setTimeout` has it: whole milliseconds, at least one. */
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

  /** In this turn, after its check phase: only in its poll phase. */
  afterChecks(call: () => void): void {
    this.#afterChecks.push(call);
  }

  /** Uses the CPU for some milliseconds, in which other things become due and wait. */
  readonly burn = (ms: number): void => {
    if (ms <= 0) return;
    const from = this.#time.now;
    this.#time.goTo(from + ms);
    this.#onBurn({ from, ms });
  };

  /** Something became due in this instant: a socket is readable, a timer is over. */
  deliver(call: () => void): void {
    this.#due.push({ since: this.#time.now, call });
  }

  /** Ends the run, as an uncaught error does. */
  readonly crash = (error: unknown): void => {
    this.#crash ??= { error };
  };

  /** Makes a reader of the share of time in which the process was busy, since last asked. */
  utilization(): Signal {
    const possible = this.elapsed;
    return shareSinceAsked({ busy: () => possible() - this.#idle, possible });
  }

  /** Makes a reader of how late, in ms, what was due was delivered since last asked: a quantile. */
  delay(rank = 0.99): () => number | undefined {
    return this.#lateness.reader(rank);
  }

  /**
   * Runs turn after turn until it is over, or nothing can happen any more.
   *
   * @throws What a callback throws.
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
    for (const { since, call } of due) {
      this.#lateness.add(this.#time.now - since);
      await this.#call(call);
    }
    const calls = this.#afterTurn;
    this.#afterTurn = [];
    for (const call of calls) await this.#call(call);
    for (const call of this.#afterChecks.splice(0)) await this.#call(call);
  }

  async #call(call: () => void): Promise<void> {
    call();
    // Each await lets everything run that was ready to continue: one link of each chain.
    for (let hop = 0; hop < HOPS; hop++) await undefined;
    if (this.#crash !== undefined) throw this.#crash.error;
  }
}
