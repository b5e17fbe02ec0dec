/** Asks a client's own limits before requests are sent to one host: one at a time, so that nobody overtakes. */
import type { Reason, Scheduler } from "../core/index.ts";
import type { Taken, TakeOwn } from "./own-limit.ts";

/** Receives what was taken, once it holds, or why nothing was. */
export type Asker = {
  taken(taken: Taken): void;
  failed(error: unknown): void;
};

export class OwnGate {
  readonly #take: TakeOwn;
  readonly #scheduler: Scheduler;
  #isAsking = false;
  /** Nothing is asked before. */
  #until = 0;
  #reason: Reason = "limited";

  constructor(take: TakeOwn, scheduler: Scheduler) {
    this.#take = take;
    this.#scheduler = scheduler;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** The instant until which the last refusal holds; it may be over. */
  get until(): number {
    return this.#until;
  }

  get reason(): Reason {
    return this.#reason;
  }

  /** Holds until the limits may admit the next one. */
  hold({ decision, wait }: Taken): void {
    this.#until = this.#scheduler.elapsed() + Math.max(1, wait);
    this.#reason = decision.reason ?? "limited";
  }

  /** Takes what the next request needs. */
  ask(host: string, asker: Asker): void {
    this.#isAsking = true;
    const failed = (error: unknown) => {
      this.#isAsking = false;
      asker.failed(error);
    };
    try {
      const taken = this.#take(host);
      if (taken instanceof Promise) taken.then((taken) => this.#answer(taken, asker), failed);
      else this.#answer(taken, asker);
    } catch (error) {
      failed(error);
    }
  }

  /** A leaky bucket admits now who is to be sent later; meanwhile nobody else asks. */
  #answer(taken: Taken, asker: Asker): void {
    const { ok, retryAfter } = taken.decision;
    const answer = () => {
      this.#isAsking = false;
      asker.taken(taken);
    };
    if (ok && retryAfter > 0) this.#scheduler.alarm(retryAfter, answer);
    else answer();
  }

  /** What gives back what was taken; who waits for it need not wait until it is looked for. */
  givingBack({ release }: Taken, pump: () => void): (() => void) | undefined {
    if (release === undefined) return undefined;
    return () => {
      release();
      this.#until = 0;
      pump();
    };
  }
}
