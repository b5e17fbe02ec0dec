import {
  type AbortListeners,
  type CallTimer,
  type ClockReading,
  type ListNode,
  readNow,
  type Slices,
} from "../../internal/index.ts";
import type { Ask, Decision } from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";

/** A call, and its final decision. */
export type WaitingCall = {
  readonly ask: Ask;
  readonly decision: Decision;
  /** When the request was sent to the store. */
  readonly asked: ClockReading;
};

/** Receives the events of a waiter. */
export type WaiterObserver = {
  /** Called when its time is over. The observer must then end the waiter soon. */
  late(waiter: Waiter): void;
  /** Called when it waits no longer, for any reason. */
  left(waiter: Waiter): void;
};

/** A call that joins a queue, how long it waits, and its number in the queue. */
export type JoiningCall = {
  readonly ask: Ask;
  readonly wait: CheckedWait;
  readonly place: number;
};

/** The settings that all waiters of a limiter share. */
export type WaiterSettings = {
  /** Signals when their time is over. */
  readonly timer: CallTimer;
  /**
   * Prevents waiters that end at the same time from being notified all in one turn of the event
   * loop.
   */
  readonly slices: Slices;
  /** Watches their signals. */
  readonly signals: AbortListeners;
};

/** A call that waits until it has a final answer, its time is over, or its signal is aborted. */
export class Waiter implements ListNode<Waiter> {
  /** The ask. Each request has a new lease, because a lost answer may have granted the last one. */
  ask: Ask;
  /** The last answer to it, if it was a refusal. */
  refusal: Decision | undefined;
  readonly turn: Promise<WaitingCall>;
  /** Its number among the waiters that joined its queue. */
  readonly place: number;
  /** Whether a request for it is in flight. */
  isAsking = false;
  #isLate = false;
  #isOver = false;
  #settle: { resolve: (turn: WaitingCall) => void; reject: (error: unknown) => void } | undefined;
  readonly #observer: WaiterObserver;
  readonly #signal: CheckedWait["signal"];
  readonly #callOff: () => void;
  before: Waiter | undefined;
  behind: Waiter | undefined;

  constructor(
    { ask, wait: { ms, signal }, place }: JoiningCall,
    observer: WaiterObserver,
    { timer, signals }: WaiterSettings,
  ) {
    this.ask = ask;
    this.place = place;
    this.turn = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#observer = observer;
    this.#signal = signal;
    const timeOver = timer.after(ms, () => this.#beLate());
    const unlisten = signal && signals.onAbort(signal, (reason) => this.#abort(reason));
    this.#callOff = () => {
      timer.cancel(timeOver);
      unlisten?.();
    };
  }

  /** Whether its time is over, so that the next answer is the last. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /**
   * Whether it no longer needs an answer. True once its signal is aborted, even before its promise
   * is rejected.
   */
  get isOver(): boolean {
    return this.#isOver || this.#signal?.aborted === true;
  }

  /**
   * Ends the wait with a decision. Rejects instead if its signal is aborted, even if no abort event
   * was received.
   *
   * @param asked When the request was sent to the store; for a refusal, any time.
   */
  end(decision: Decision, asked = readNow()): void {
    if (this.isOver) this.#abort(this.#signal?.reason);
    else if (this.#leave()) this.#settle?.resolve({ ask: this.ask, decision, asked });
  }

  /** Waits on by the present definition of its limit. Fails, and returns false, if that is gone. */
  redefine(anew: (ask: Ask) => Ask): boolean {
    try {
      this.ask = anew(this.ask);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Ends the wait with an error. */
  fail(error: unknown): void {
    if (this.#leave()) this.#settle?.reject(error);
  }

  #abort(reason: unknown): void {
    if (this.#leave()) this.#settle?.reject(reason);
  }

  /** Stops waiting. Returns whether it was still waiting. */
  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#callOff();
    this.#observer.left(this);
    return true;
  }

  #beLate(): void {
    this.#isLate = true;
    this.#observer.late(this);
  }
}
