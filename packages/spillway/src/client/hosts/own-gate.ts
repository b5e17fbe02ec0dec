/**
 * Takes from a client's own limits before requests are sent to one host.
 *
 * If the store is remote, several takes are in flight at once; otherwise its latency would limit
 * the rate. Requests stay in order: a take does not belong to one request. If it is admitted, the
 * first request in the queue is sent.
 */
import type { Reason, Scheduler } from "../../limits/core/index.ts";
import type { OwnLimitResult, TakeOwn } from "./own-limit.ts";

/** Receives the result of a take once it applies, or the error. */
export type GateListener = {
  taken(taken: OwnLimitResult): void;
  /** Called if a take admits a start in the future. `taken` is called at that instant. */
  delayed(taken: OwnLimitResult): void;
  failed(error: unknown): void;
};

/**
 * The maximum number of takes in flight at once. The present bound depends on how many are
 * admitted.
 */
const MOST_ASKS = 64;
/** The factor by which a refusal reduces the bound. */
const AFTER_REFUSAL = 3 / 4;
/** The longest timer delay that the spacing of takes makes up for, in milliseconds. */
const MOST_BEHIND_MS = 4;
/**
 * How late an admitted start may still be used, in milliseconds. Callers that return at the given
 * instant can be this late.
 */
const LATE_MS = 20;
/** The weight of each answer in the average latency. */
const LATENCY_WEIGHT = 1 / 8;

/** An admitted start in the future. `at` is by the scheduler's clock. */
type LaterStart = {
  readonly at: number;
  readonly taken: OwnLimitResult;
  readonly listener: GateListener;
  callOff: () => void;
};

export class OwnGate {
  readonly #take: TakeOwn;
  readonly #scheduler: Scheduler;
  #asking = 0;
  /** The bound on takes in flight: from 1 to `MOST_ASKS`. */
  #window = 1;
  #shrunk = 0;
  readonly #later = new Set<LaterStart>();
  /**
   * The average latency of a take, in milliseconds; and when the next take may be sent. Takes are
   * spread over the latency.
   */
  #latency = 0;
  #next = 0;
  /** Nothing is taken before this instant. */
  #until = 0;
  #reason: Reason = "limited";

  constructor(take: TakeOwn, scheduler: Scheduler) {
    this.#take = take;
    this.#scheduler = scheduler;
  }

  /** Takes in flight, and admitted starts in the future. Each may become a request. */
  get asking(): number {
    return this.#asking;
  }

  /** Returns whether enough takes are in flight for the given number of waiting requests. */
  isAskingFor(waiting: number): boolean {
    const most = this.#later.size > 0 ? 1 : Math.floor(this.#window);
    return this.#asking >= Math.min(most, waiting);
  }

  /**
   * The instant until which nothing is sent, by the last refusal or the next admitted start; may be
   * in the past.
   */
  get until(): number {
    const [next] = this.#later;
    return Math.max(this.#until, next?.at ?? 0);
  }

  /** The instant from which the next take may be sent; may be in the past. */
  get from(): number {
    return Math.max(this.#until, this.#next);
  }

  get reason(): Reason {
    return this.#reason;
  }

  /** Stops further takes after a refusal, until the limits may admit the next request. */
  hold({ decision, wait }: OwnLimitResult): void {
    this.#until = this.#scheduler.elapsed() + Math.max(1, wait);
    this.#reason = decision.reason ?? "limited";
  }

  /**
   * Takes what the next request needs. Passes the result, or an error that was thrown or rejected,
   * to `listener`.
   */
  ask(host: string, listener: GateListener): void {
    this.#asking++;
    const asked = this.#scheduler.elapsed();
    this.#next = Math.max(this.#next, asked - MOST_BEHIND_MS) + this.#latency / this.#window;
    const failed = (error: unknown) => {
      this.#asking--;
      this.#window = 1;
      listener.failed(error);
    };
    let taken: ReturnType<TakeOwn>;
    try {
      taken = this.#take(host);
    } catch (error) {
      failed(error);
      return;
    }
    // Not within the `try`: what `listener` throws is no failure of the take, which has succeeded.
    if (taken instanceof Promise) {
      taken.then((taken) => {
        this.#latency += (this.#scheduler.elapsed() - asked - this.#latency) * LATENCY_WEIGHT;
        this.#answer(taken, asked, listener);
      }, failed);
    } else this.#answer(taken, asked, listener);
  }

  /**
   * A leaky bucket may admit a request now for a later start. Until then no further take is sent.
   */
  #answer(taken: OwnLimitResult, asked: number, listener: GateListener): void {
    const { ok, retryAfter } = taken.decision;
    this.#adapt(ok, asked);
    if (ok && retryAfter > 0) {
      const at = this.#scheduler.elapsed() + retryAfter;
      const later = { at, taken, listener, callOff: () => {} };
      this.#later.add(later);
      this.#wake(later);
      listener.delayed(taken);
    } else this.#answered(taken, listener);
  }

  #wake(later: LaterStart): void {
    const start = () => {
      this.#later.delete(later);
      this.#answered(later.taken, later.listener);
    };
    later.callOff();
    const ms = later.at - this.#scheduler.elapsed();
    if (ms > 0) later.callOff = this.#scheduler.alarm(ms, start);
    else start();
  }

  /**
   * Called when no request waits. Stops the timers; keeps admitted starts of rates, and gives back
   * leases.
   */
  pause(): void {
    for (const later of this.#later) {
      later.callOff();
      if (later.taken.release !== undefined) this.#drop(later);
    }
  }

  /**
   * Called when a request waits again. Restores the timers of admitted starts, and drops those that
   * are too late.
   */
  resume(): void {
    const now = this.#scheduler.elapsed();
    for (const later of this.#later) {
      // The limit spaces the next start from this instant. If this start were used later, the two
      // would be too close.
      if (later.at + LATE_MS < now) this.#drop(later);
      else this.#wake(later);
    }
  }

  #drop(later: LaterStart): void {
    this.#later.delete(later);
    this.#asking--;
    later.taken.release?.();
  }

  /**
   * Adapts the bound like TCP's congestion window. Refusals of takes that were sent before the
   * bound last shrank do not shrink it again.
   */
  #adapt(isAdmitted: boolean, asked: number): void {
    if (isAdmitted) this.#window = Math.min(MOST_ASKS, this.#window + 1);
    else if (asked >= this.#shrunk) {
      this.#window = Math.max(1, this.#window * AFTER_REFUSAL);
      this.#shrunk = this.#scheduler.elapsed();
    }
  }

  #answered(taken: OwnLimitResult, listener: GateListener): void {
    this.#asking--;
    listener.taken(taken);
  }

  /**
   * Returns a function that gives back the lease and then calls `pump`; undefined without a lease.
   */
  givingBack({ release }: OwnLimitResult, pump: () => void): (() => void) | undefined {
    if (release === undefined) return undefined;
    return () => {
      release();
      this.#until = 0;
      pump();
    };
  }
}
