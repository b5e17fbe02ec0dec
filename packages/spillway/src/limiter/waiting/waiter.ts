import type { Ask, Decision } from "../../core/index.ts";
import { type Reading, readNow } from "../../internal/index.ts";
import type { CheckedWait } from "../options.ts";
import type { SharedTimer } from "../shared-timer.ts";
import type { Linked } from "./line.ts";
import type { Signals } from "./signals.ts";
import type { Slices } from "./slices.ts";

/** An ask, and what it was answered in the end. */
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

/** What all waiters of a limiter share. */
export type WaiterSettings = {
  /** Reports when their time is over. */
  readonly timer: SharedTimer;
  /** Keeps those who are ended all at once from being notified all at once. */
  readonly slices: Slices;
  /** Reports when their signals are aborted. */
  readonly signals: Signals;
};

/** One ask that waits: until it is answered for good, its time is over, or its signal ends it. */
export class Waiter implements Linked<Waiter> {
  /** What is asked; with another lease each time, for a lost answer may have lent the last one. */
  ask: Ask;
  /** What it was last answered. */
  refusal: Decision | undefined;
  readonly turn: Promise<Turn>;
  #isLate = false;
  #isOver = false;
  #settle: { resolve: (turn: Turn) => void; reject: (error: unknown) => void } | undefined;
  readonly #observer: WaiterObserver;
  readonly #slices: Slices;
  readonly #callOff: () => void;
  before: Waiter | undefined;
  behind: Waiter | undefined;

  constructor(
    ask: Ask,
    { ms, signal }: CheckedWait,
    observer: WaiterObserver,
    { timer, slices, signals }: WaiterSettings,
  ) {
    this.ask = ask;
    this.turn = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#observer = observer;
    this.#slices = slices;
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

  /** Whether nobody waits for an answer any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the waiting with an answer. @param asked When the store was asked; for a refusal, whenever. */
  end(decision: Decision, asked = readNow()): void {
    if (this.#leave()) this.#settle?.resolve({ ask: this.ask, decision, asked });
  }

  /** Ends the waiting with an error. */
  fail(error: unknown): void {
    if (this.#leave()) this.#settle?.reject(error);
  }

  /** It waits no longer, but one signal may end a great many at once. */
  #abort(reason: unknown): void {
    if (!this.#leave()) return;
    const reject = () => this.#settle?.reject(reason);
    if (this.#slices.permits(reject)) reject();
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
