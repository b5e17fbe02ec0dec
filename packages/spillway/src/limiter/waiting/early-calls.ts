/** Calls that wait for one budget while the code for queues of them is being loaded. */
import { carriedOut, readNow } from "../../internal/index.ts";
import { type Ask, alarm, type Decision, elapsed, type Mode } from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";
import type { DirectStore } from "../store.ts";
import { takeBack, turnAway, type WaitingCall } from "./turn-away.ts";

/** The settings of early calls, and where they continue to wait. */
export type EarlyCallsSettings<M extends Mode> = {
  readonly store: DirectStore<M>;
  /** The maximum number of calls that wait for one budget. */
  readonly most: number;
  /** Returns the same ask with a new lease, which was never requested before. */
  readonly anew: (ask: Ask) => Ask;
  /** Loads the code. Rejects if it can't be loaded; then the waiting calls do too. */
  readonly load: () => Promise<unknown>;
  /** Joins the queue that continues; undefined until the code is loaded. */
  readonly queue: () => ((ask: Ask, wait: CheckedWait) => Promise<WaitingCall>) | undefined;
  /** Called when no call is left here. */
  readonly emptied: () => void;
};

/** A call that waits here. */
type EarlyCall = {
  ask: Ask;
  readonly wait: CheckedWait;
  /** When it joined, by the clock `elapsed`. */
  readonly joined: number;
  /** The last answer to it, if it was a refusal. */
  refusal: Decision | undefined;
  isLate: boolean;
  isOver: boolean;
  readonly end: (outcome: WaitingCall | Promise<WaitingCall>) => void;
};

/**
 * A short-lived queue, first come, first served, whose calls move to a `WaiterQueue` in order.
 *
 * Only the first call asks the store: at once, when units are released in this process, and when
 * its time is over. So a call that finds free units needs nothing more to be loaded.
 */
export class EarlyCalls<M extends Mode> {
  readonly #settings: EarlyCallsSettings<M>;
  readonly #calls = new Set<EarlyCall>();
  #asking: EarlyCall | undefined;
  /** Whether the first call may ask once no request is in flight. */
  #mayAsk = false;
  /** Whether answers are being handled, after which the next call asks. */
  #isDealing = false;
  #isLoading = false;

  constructor(settings: EarlyCallsSettings<M>) {
    this.#settings = settings;
  }

  /** Waits here. Resolves with a refusal at once if too many calls wait. */
  join(ask: Ask, wait: CheckedWait): Promise<WaitingCall> {
    if (this.#calls.size >= this.#settings.most) return turnAway(this.#settings.store, ask);
    const turn = new Promise<WaitingCall>((settle) => this.#add(ask, wait, settle));
    if (this.#calls.size === 1) this.#ask();
    else this.#load();
    return turn;
  }

  /** Called when units have been released. */
  freed(): void {
    this.#ask();
  }

  #add(ask: Ask, wait: CheckedWait, settle: EarlyCall["end"]): void {
    const { ms, signal } = wait;
    const end = (outcome: WaitingCall | Promise<WaitingCall>) => {
      if (call.isOver) return;
      call.isOver = true;
      callOff();
      signal?.removeEventListener("abort", abort);
      this.#calls.delete(call);
      settle(outcome);
    };
    const abort = () => this.#leave(call, rejected(signal?.reason));
    const state = { refusal: undefined, isLate: false, isOver: false };
    const call: EarlyCall = { ask, wait, joined: elapsed(), ...state, end };
    const callOff = alarm(ms, () => this.#late(call));
    signal?.addEventListener("abort", abort);
    this.#calls.add(call);
  }

  /** Asks for the first call, then for those behind it as long as calls leave. */
  #ask(): void {
    this.#mayAsk = true;
    // A store in this process answers at once. Its answers are handled in turn, not nested.
    if (this.#isDealing) return;
    this.#isDealing = true;
    while (this.#mayAsk && this.#asking === undefined) {
      this.#mayAsk = false;
      const [first] = this.#calls;
      if (first === undefined) this.#settings.emptied();
      else this.#askFor(first);
    }
    this.#isDealing = false;
  }

  #askFor(call: EarlyCall): void {
    const { store, anew } = this.#settings;
    if (call.refusal !== undefined) call.ask = anew(call.ask);
    const { ask } = call;
    const asked = readNow();
    this.#asking = call;
    carriedOut<M, Decision, void>(store.mode as M, () => store.limit(ask), {
      done: (decision) => this.#answered(call, { ask, decision, asked }),
      fail: (error) => this.#settled(call, rejected(error)),
    });
  }

  #answered(call: EarlyCall, answer: WaitingCall): void {
    const { ok, reason } = answer.decision;
    const { signal } = call.wait;
    if (call.isOver || signal?.aborted) {
      if (ok) takeBack(this.#settings.store, answer.ask);
      this.#settled(call, rejected(signal?.reason));
    } else if (ok || reason !== "limited" || call.isLate) {
      this.#settled(call, answer);
    } else {
      call.refusal = answer.decision;
      this.#asking = undefined;
      this.#load();
      if (!this.#moved() && this.#mayAsk) this.#ask();
    }
  }

  /** Ends the call whose request was answered. The next one asks. */
  #settled(call: EarlyCall, outcome: WaitingCall | Promise<WaitingCall>): void {
    this.#asking = undefined;
    call.end(outcome);
    if (!this.#moved()) this.#ask();
  }

  /** Ends a call that has no request in flight, or no longer waits for it. */
  #leave(call: EarlyCall, outcome: WaitingCall | Promise<WaitingCall>): void {
    const [first] = this.#calls;
    call.end(outcome);
    if (call === first && this.#asking === undefined) this.#ask();
  }

  /** Ends a call whose time is over: after a last request if it is the first, else by a check. */
  #late(call: EarlyCall): void {
    call.isLate = true;
    if (call === this.#asking) return;
    const [first] = this.#calls;
    const { ask, refusal } = call;
    if (call === first && this.#asking === undefined) this.#ask();
    else if (refusal === undefined) call.end(turnAway(this.#settings.store, ask));
    else call.end({ ask, decision: refusal, asked: readNow() });
  }

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#settings.load().then(
      () => this.#moved(),
      (error) => this.#endAll(error),
    );
  }

  #endAll(error: unknown): void {
    this.#isLoading = false;
    for (const { end } of this.#calls) end(rejected(error));
    if (this.#asking === undefined) this.#settings.emptied();
  }

  /** Moves all calls to the queue, in order, once it is there and no request is in flight. */
  #moved(): boolean {
    const join = this.#settings.queue();
    if (join === undefined || this.#asking !== undefined) return false;
    for (const { ask, wait, joined, refusal, end } of this.#calls) {
      const ms = Math.max(0, wait.ms - (elapsed() - joined));
      end(join(refusal === undefined ? ask : this.#settings.anew(ask), { ...wait, ms }));
    }
    this.#settings.emptied();
    return true;
  }
}

/** Returns a rejected promise that may stay unhandled, because its call has ended already. */
function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
