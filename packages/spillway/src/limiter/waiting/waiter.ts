import { type Ask, alarm, type Decision } from "../../core/index.ts";
import type { Patience } from "../options.ts";

/** An ask, and what it was answered in the end. */
export type Turn = {
  readonly ask: Ask;
  readonly decision: Decision;
  /** When the store was asked, by the clock of `elapsed`. */
  readonly asked: number;
};

/** Who receives what becomes of a waiter. */
export type Onlooker = {
  /** Its time is over: it has to be ended, soon. */
  late(waiter: Waiter): void;
  /** It waits no longer, for whatever reason. */
  left(waiter: Waiter): void;
};

/** One ask that waits: until it is answered for good, its time is over, or its signal ends it. */
export class Waiter {
  /** What is asked; with another lease each time, for a lost answer may have lent the last one. */
  ask: Ask;
  /** What it was last told. */
  refusal: Decision | undefined;
  readonly turn: Promise<Turn>;
  #isLate = false;
  #isOver = false;
  #settle: { resolve: (turn: Turn) => void; reject: (error: unknown) => void } | undefined;
  readonly #onlooker: Onlooker;
  readonly #callOff: () => void;

  constructor(ask: Ask, { ms, signal }: Patience, onlooker: Onlooker) {
    this.ask = ask;
    this.turn = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#onlooker = onlooker;
    const timeOver = alarm(ms, () => this.#beLate());
    const abort = () => this.fail(signal?.reason);
    signal?.addEventListener("abort", abort);
    this.#callOff = () => {
      timeOver();
      signal?.removeEventListener("abort", abort);
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
  end(decision: Decision, asked = 0): void {
    if (this.#leave()) this.#settle?.resolve({ ask: this.ask, decision, asked });
  }

  /** Ends the waiting with an error. */
  fail(error: unknown): void {
    if (this.#leave()) this.#settle?.reject(error);
  }

  /** Whether it was still waiting. */
  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#callOff();
    this.#onlooker.left(this);
    return true;
  }

  #beLate(): void {
    this.#isLate = true;
    this.#onlooker.late(this);
  }
}
