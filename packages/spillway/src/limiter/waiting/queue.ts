import { type Ask, alarm, type Decision, type Mode, type Random } from "../../core/index.ts";
import { type Reading, readNow } from "../../internal/index.ts";
import type { CheckedWait } from "../options.ts";
import type { DirectStore } from "../store.ts";
import { Line } from "./line.ts";
import type { Slice } from "./slice.ts";
import { type Turn, Waiter, type WaiterObserver, type WaiterSettings } from "./waiter.ts";

/** Milliseconds until a store is asked again for what another process may have given back. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 1000;

/** What the queues of a limiter work with. */
export type QueueSettings<M extends Mode> = WaiterSettings & {
  readonly store: DirectStore<M>;
  readonly random: Random;
  /** The most asks that wait for one budget. */
  readonly most: number;
  /** The same ask for a lease that nobody has asked for yet. */
  readonly anew: (ask: Ask) => Ask;
};

/** What the store has said, and when it was asked. */
type Answered = { readonly decision: Decision; readonly asked: Reading };

/** Those who wait for one budget. Only the first of them asks, and not too often. */
export class Queue<M extends Mode> {
  readonly #settings: QueueSettings<M>;
  readonly #slice: Slice | undefined;
  readonly #emptied: () => void;
  readonly #waiters = new Line<Waiter>();
  #isAsking = false;
  /** Whether it asks in a later turn, for there was much to be done in this one. */
  #isPutOff = false;
  /** Whether units came back while an answer was under way. */
  #mustAskAgain = false;
  #pause = FIRST_PAUSE;
  /** Units that were left when one was lent last; Infinity where that is not known. */
  #remaining = Number.POSITIVE_INFINITY;
  #callOff: () => void = () => {};
  readonly #observer: WaiterObserver = {
    late: (one) => this.#late(one),
    left: (one) => this.#left(one),
  };

  /**
   * @param slice For how long units are handed over here; undefined where nobody else wants them.
   * @param emptied Called when nobody waits any more.
   */
  constructor(settings: QueueSettings<M>, slice: Slice | undefined, emptied: () => void) {
    this.#settings = settings;
    this.#slice = slice;
    this.#emptied = emptied;
  }

  /** Waits in line; a refusal at once where too many do. */
  join(ask: Ask, wait: CheckedWait): Promise<Turn> {
    if (this.#waiters.length >= this.#settings.most) return this.#turnAway(ask);
    const waiter = new Waiter(ask, wait, this.#observer, this.#settings);
    this.#waiters.join(waiter);
    if (this.#waiters.length === 1) this.#ask();
    return waiter.turn;
  }

  /** Units have come back. */
  freed(): void {
    this.#pause = FIRST_PAUSE;
    if (this.#isAsking) this.#mustAskAgain = true;
    else this.#ask();
  }

  /** It receives what there is, and takes nothing before those who wait. */
  async #turnAway(ask: Ask): Promise<Turn> {
    const { store } = this.#settings;
    const [checked] = await store.execute({ verb: "check", budgets: [ask] });
    const decision = checked as Decision;
    if (!decision.ok) return { ask, decision, asked: readNow() };
    const refusal = { ...decision, ok: false, retryAfter: FIRST_PAUSE, reason: "limited" } as const;
    return { ask, decision: refusal, asked: readNow() };
  }

  /** An answer under way may still be a yes; one that has never been first receives what there is. */
  #late(waiter: Waiter): void {
    if (this.#isAsking && waiter === this.#waiters.first) return;
    const { refusal } = waiter;
    if (refusal !== undefined) {
      waiter.end(refusal);
      return;
    }
    this.#turnAway(waiter.ask).then(
      ({ decision }) => waiter.end(decision),
      (error) => waiter.fail(error),
    );
  }

  #left(waiter: Waiter): void {
    const wasFirst = waiter === this.#waiters.first;
    this.#waiters.leave(waiter);
    if (this.#isAsking) return;
    if (this.#waiters.first === undefined) this.#end();
    else if (wasFirst) this.#ask();
  }

  #end(): void {
    this.#callOff();
    this.#emptied();
  }

  /**
   * Lets the first in line ask, and then the next, as long as there is an answer at once, and others
   * have had their chance. Of a great many, some ask in later turns.
   */
  #ask(): void {
    if (this.#isAsking || this.#isPutOff) return;
    this.#callOff();
    for (let first = this.#waiters.first; first !== undefined; first = this.#next(first)) {
      const rest = this.#slice?.rest() ?? 0;
      if (rest > 0) {
        this.#wait(rest);
        return;
      }
      this.#isPutOff = !this.#settings.slices.permits(this.#askAgain);
      if (this.#isPutOff) return;
      this.#isAsking = true;
      this.#mustAskAgain = false;
      const answer = this.#answerTo(first);
      if (answer instanceof Promise) return void answer.then(() => this.#goOn(first as Waiter));
    }
  }

  readonly #askAgain = (): void => {
    this.#isPutOff = false;
    this.#ask();
  };

  /** Asks for a waiter, and deals with the answer; promised where the store promises. */
  #answerTo(first: Waiter): void | Promise<void> {
    const { store, anew } = this.#settings;
    if (first.refusal !== undefined) first.ask = anew(first.ask);
    const { ask } = first;
    const failed = (error: unknown) => first.fail(error);
    const asked = readNow();
    try {
      const answer = store.limit(ask);
      if (store.mode === "now")
        return this.#deal(first, ask, { decision: answer as Decision, asked });
      return Promise.resolve(answer).then(
        (decision) => this.#deal(first, ask, { decision, asked }),
        failed,
      );
    } catch (error) {
      failed(error);
    }
  }

  #deal(first: Waiter, ask: Ask, { decision, asked }: Answered): void {
    this.#slice?.answered(decision, ask.count);
    this.#remaining = decision.ok && !first.isOver ? decision.remaining : Infinity;
    if (decision.ok && first.isOver) this.#giveBack(ask);
    else if (decision.ok || decision.reason !== "limited" || first.isLate) {
      first.end(decision, asked);
    } else first.refusal = decision;
  }

  #goOn(first: Waiter): void {
    if (this.#next(first) !== undefined) this.#ask();
  }

  /** Whether the store has just said so: one in this process need not be asked again. */
  #hasTooLittleFor({ ask: { count, lease } }: Waiter): boolean {
    if (!this.#settings.store.isOwn || this.#mustAskAgain) return false;
    return Math.max(1, count) + (lease?.headroom ?? 0) > this.#remaining;
  }

  /** Who asks next, at once: undefined where nobody does, or not yet. */
  #next(last: Waiter): Waiter | undefined {
    this.#isAsking = false;
    const first = this.#waiters.first;
    if (first === undefined) this.#end();
    else if (first === last && !this.#mustAskAgain) this.#askLater(last.refusal);
    else if (this.#hasTooLittleFor(first)) this.#askLater(undefined);
    else return first;
    return undefined;
  }

  /** Whoever asked has gone meanwhile. */
  #giveBack({ plan, key, count, lease }: Ask): void {
    const ref = { id: lease?.id as number, count };
    const { store } = this.#settings;
    new Promise((done) =>
      done(store.execute({ verb: "release", budgets: [{ plan, key }], lease: ref })),
    ).catch(() => {});
  }

  /**
   * Soon at first, then more and more rarely, but where units change hands elsewhere; not later than
   * when somebody's time is over.
   */
  #askLater(refusal: Decision | undefined): void {
    const most = this.#longestPause(refusal);
    const pause = Math.min(this.#pause, most) * (1 - this.#settings.random() / 2);
    this.#pause = Math.min(most, this.#pause * 2);
    this.#wait(Math.min(pause, refusal?.retryAfter ?? LONGEST_PAUSE));
  }

  /** While units change hands elsewhere, no pause is longer than others rest then. */
  #longestPause(refusal: Decision | undefined): number {
    const ask = this.#waiters.first?.ask;
    if (this.#slice === undefined || refusal === undefined || ask === undefined)
      return LONGEST_PAUSE;
    return this.#slice.longestPause(ask.plan.period - refusal.resetAfter);
  }

  #wait(ms: number): void {
    this.#callOff = alarm(ms, () => this.#ask());
  }
}
