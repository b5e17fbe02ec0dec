/**
 * Asks a client's own limits before requests are sent to one host.
 *
 * Of a store across a network several are asked at once, or its latency would be the limit. Nobody overtakes by that:
 * what is admitted is a request to the host, and the first in line is sent.
 */
import type { Reason, Scheduler } from "../../limits/core/index.ts";
import type { OwnLimitResult, TakeOwn } from "./own-limit.ts";

/** Receives what was taken, once it holds, or why nothing was. */
export type GateListener = {
  taken(taken: OwnLimitResult): void;
  /** It was taken for a start that is still to come, for which `taken` is called then. */
  delayed(taken: OwnLimitResult): void;
  failed(error: unknown): void;
};

/** Asks under way at once, at most; how many there are depends on how many are admitted. */
const MOST_ASKS = 64;
/** What is left of that many after a refusal. */
const AFTER_REFUSAL = 3 / 4;
/** Milliseconds by which timers are late, which is made up for. */
const MOST_BEHIND_MS = 4;
/** A start that is this much over may still be used: who comes back when it was said to is late by as much. */
const LATE_MS = 20;
/** How much of what is known of the latency each answer changes. */
const LATENCY_WEIGHT = 1 / 8;

/** A start that is still to come, by the scheduler's clock. */
type LaterStart = {
  readonly at: number;
  readonly taken: OwnLimitResult;
  readonly asker: GateListener;
  callOff: () => void;
};

export class OwnGate {
  readonly #take: TakeOwn;
  readonly #scheduler: Scheduler;
  #asking = 0;
  /** Asks that may be under way at once. */
  #window = 1;
  #shrunk = 0;
  readonly #later = new Set<LaterStart>();
  /** Milliseconds until an answer, of late; and when the next ask may be sent, so that they are spread over it. */
  #latency = 0;
  #next = 0;
  /** Nothing is asked before. */
  #until = 0;
  #reason: Reason = "limited";

  constructor(take: TakeOwn, scheduler: Scheduler) {
    this.#take = take;
    this.#scheduler = scheduler;
  }

  /** Asks under way, each of which may be a request. */
  get asking(): number {
    return this.#asking;
  }

  /** Whether no more is to be asked for so many who wait. */
  isAskingFor(waiting: number): boolean {
    const most = this.#later.size > 0 ? 1 : Math.floor(this.#window);
    return this.#asking >= Math.min(most, waiting);
  }

  /** The instant until which nothing is sent: the last refusal holds, or the next start is to come. It may be over. */
  get until(): number {
    const [next] = this.#later;
    return Math.max(this.#until, next?.at ?? 0);
  }

  /** The instant from which on the next may be asked. */
  get from(): number {
    return Math.max(this.#until, this.#next);
  }

  get reason(): Reason {
    return this.#reason;
  }

  /** Holds until the limits may admit the next one. */
  hold({ decision, wait }: OwnLimitResult): void {
    this.#until = this.#scheduler.elapsed() + Math.max(1, wait);
    this.#reason = decision.reason ?? "limited";
  }

  /** Takes what the next request needs. */
  ask(host: string, asker: GateListener): void {
    this.#asking++;
    const asked = this.#scheduler.elapsed();
    this.#next = Math.max(this.#next, asked - MOST_BEHIND_MS) + this.#latency / this.#window;
    const failed = (error: unknown) => {
      this.#asking--;
      this.#window = 1;
      asker.failed(error);
    };
    try {
      const taken = this.#take(host);
      if (taken instanceof Promise) {
        taken.then((taken) => {
          this.#latency += (this.#scheduler.elapsed() - asked - this.#latency) * LATENCY_WEIGHT;
          this.#answer(taken, asked, asker);
        }, failed);
      } else this.#answer(taken, asked, asker);
    } catch (error) {
      failed(error);
    }
  }

  /** A leaky bucket admits now who is to be sent later; meanwhile nobody else asks. */
  #answer(taken: OwnLimitResult, asked: number, asker: GateListener): void {
    const { ok, retryAfter } = taken.decision;
    this.#adapt(ok, asked);
    if (ok && retryAfter > 0) {
      const at = this.#scheduler.elapsed() + retryAfter;
      const later = { at, taken, asker, callOff: () => {} };
      this.#later.add(later);
      this.#wake(later);
      asker.delayed(taken);
    } else this.#answered(taken, asker);
  }

  #wake(later: LaterStart): void {
    const start = () => {
      this.#later.delete(later);
      this.#answered(later.taken, later.asker);
    };
    later.callOff();
    const ms = later.at - this.#scheduler.elapsed();
    if (ms > 0) later.callOff = this.#scheduler.alarm(ms, start);
    else start();
  }

  /** Nobody waits: a start that is still to come is kept, without a timer, and a lease is not. */
  pause(): void {
    for (const later of this.#later) {
      later.callOff();
      if (later.taken.release !== undefined) this.#drop(later);
    }
  }

  /** Somebody waits again. */
  resume(): void {
    const now = this.#scheduler.elapsed();
    for (const later of this.#later) {
      // The next start keeps its distance to this one, and not to when it would be used now.
      if (later.at + LATE_MS < now) this.#drop(later);
      else this.#wake(later);
    }
  }

  #drop(later: LaterStart): void {
    this.#later.delete(later);
    this.#asking--;
    later.taken.release?.();
  }

  /** As the congestion window of TCP: it shrinks once for all that was asked before it had shrunk. */
  #adapt(isAdmitted: boolean, asked: number): void {
    if (isAdmitted) this.#window = Math.min(MOST_ASKS, this.#window + 1);
    else if (asked >= this.#shrunk) {
      this.#window = Math.max(1, this.#window * AFTER_REFUSAL);
      this.#shrunk = this.#scheduler.elapsed();
    }
  }

  #answered(taken: OwnLimitResult, asker: GateListener): void {
    this.#asking--;
    asker.taken(taken);
  }

  /** What gives back what was taken; who waits for it need not wait until it is looked for. */
  givingBack({ release }: OwnLimitResult, pump: () => void): (() => void) | undefined {
    if (release === undefined) return undefined;
    return () => {
      release();
      this.#until = 0;
      pump();
    };
  }
}
