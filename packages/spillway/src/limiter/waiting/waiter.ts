import {
  type AbortListeners,
  type CallTimer,
  type Linked,
  type Reading,
  readNow,
  type Slices,
} from "../../internal/index.ts";
import type { Ask, Decision } from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";

/** A call, and what it was answered in the end. */
export type Turn = {
  readonly ask: Ask;
  readonly decision: Decision;
  /** When the store was asked. */
  readonly asked: Reading;
};

/** Who receives what becomes of a waiter. */
export type WaiterObserver = {
  /** Its time is over: it has to be ended, soon. */
  late(waiter: Waiter): void;
  /** It waits no longer, for whatever reason. */
  left(waiter: Waiter): void;
};

/** A request that joins a line, how long it waits, and its number in the line. */
export type Joining = {
  readonly ask: Ask;
  readonly wait: CheckedWait;
  readonly place: number;
};

/** What all waiters of a limiter share. */
export type WaiterSettings = {
  /** Reports when their time is over. */
  readonly timer: CallTimer;
  /** Keeps those who are ended all at once from being notified all at once. */
  readonly slices: Slices;
  /** Reports when their signals are aborted. */
  readonly signals: AbortListeners;
};

/** One ask that waits: until it is answered for good, its time is over, or its signal ends it. */
export class Waiter implements Linked<Waiter> {
  /** What is asked; with another lease each time, for a lost answer may have lent the last one. */
  ask: Ask;
  /** What it was last answered. */
  refusal: Decision | undefined;
  readonly turn: Promise<Turn>;
  /** Its number among those that joined its line. */
  readonly place: number;
  /** Whether the store is being asked for it. */
  isAsking = false;
  #isLate = false;
  #isOver = false;
  #settle: { resolve: (turn: Turn) => void; reject: (error: unknown) => void } | undefined;
  readonly #observer: WaiterObserver;
  readonly #signal: CheckedWait["signal"];
  readonly #callOff: () => void;
  before: Waiter | undefined;
  behind: Waiter | undefined;

  constructor(
    { ask, wait: { ms, signal }, place }: Joining,
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

  /** Whether nobody waits for an answer any more, though one of many may not have been rejected yet. */
  get isOver(): boolean {
    return this.#isOver || this.#signal?.aborted === true;
  }

  /**
   * Ends the waiting with an answer, unless its signal was aborted: that rejects it, also where nothing was heard of it.
   *
   * @param asked When the store was asked; for a refusal, whenever.
   */
  end(decision: Decision, asked = readNow()): void {
    if (this.isOver) this.#abort(this.#signal?.reason);
    else if (this.#leave()) this.#settle?.resolve({ ask: this.ask, decision, asked });
  }

  /** Ends the waiting with an error. */
  fail(error: unknown): void {
    if (this.#leave()) this.#settle?.reject(error);
  }

  #abort(reason: unknown): void {
    if (this.#leave()) this.#settle?.reject(reason);
  }

  /** Whether it was still waiting. */
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
