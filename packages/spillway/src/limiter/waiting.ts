/** Asks that wait for a lease: first come, first served, for each budget in this process. */
import {
  type Ask,
  alarm,
  type Budget,
  budgetId,
  type Decision,
  type Mode,
  type Random,
  type Store,
} from "../core/index.ts";
import type { Patience, StopSignal } from "./options.ts";

/** Milliseconds until a store is asked again for what another process may have given back. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 1000;

/** What the queues of a limiter work with. */
export type WaitingSettings<M extends Mode> = {
  readonly store: Store<M>;
  readonly random: Random;
  /** The most asks that wait for one budget. */
  readonly most: number;
};

/** Asks that wait, by budget. */
export class Waiting<M extends Mode> {
  readonly #settings: WaitingSettings<M>;
  readonly #queues = new Map<string, Queue<M>>();

  constructor(settings: WaitingSettings<M>) {
    this.#settings = settings;
  }

  /** Waits for an ask to be admitted; the last refusal where it isn't in time. */
  join(ask: Ask, patience: Patience): Promise<Decision> {
    if (patience.signal?.aborted) return Promise.reject(patience.signal.reason);
    const id = budgetId(ask);
    const queue = this.#queues.get(id) ?? new Queue(this.#settings, () => this.#queues.delete(id));
    this.#queues.set(id, queue);
    return queue.join(ask, patience);
  }

  /** Whoever is first in line for a budget may ask: units have come back. */
  freed(budget: Budget): void {
    if (this.#queues.size > 0) this.#queues.get(budgetId(budget))?.freed();
  }
}

type Waiter = {
  readonly ask: Ask;
  /** Whether its time was over while its answer was under way. */
  isLate: boolean;
  /** What it is told if it is not admitted. */
  refusal: Decision | undefined;
  /** Ends its waiting. */
  readonly end: (outcome: Outcome) => void;
  isOver: boolean;
};

type Outcome = { readonly decision: Decision } | { readonly error: unknown };

/** Those who wait for one budget. Only the first of them asks, and not too often. */
class Queue<M extends Mode> {
  readonly #settings: WaitingSettings<M>;
  readonly #emptied: () => void;
  #waiters: Waiter[] = [];
  #isAsking = false;
  /** Whether units came back while an answer was under way. */
  #mustAskAgain = false;
  #pause = FIRST_PAUSE;
  #callOff: () => void = () => {};

  constructor(settings: WaitingSettings<M>, emptied: () => void) {
    this.#settings = settings;
    this.#emptied = emptied;
  }

  join(ask: Ask, patience: Patience): Promise<Decision> {
    if (this.#waiters.length >= this.#settings.most) return this.#turnAway(ask);
    return new Promise((resolve, reject) => {
      this.#waiters.push(
        this.#waiter(ask, patience, (outcome) =>
          "decision" in outcome ? resolve(outcome.decision) : reject(outcome.error),
        ),
      );
      if (this.#waiters.length === 1) this.#ask();
    });
  }

  freed(): void {
    this.#pause = FIRST_PAUSE;
    if (this.#isAsking) this.#mustAskAgain = true;
    else this.#ask();
  }

  /** Too many wait already: it is told what there is, and takes nothing before them. */
  async #turnAway(ask: Ask): Promise<Decision> {
    const decision = await this.#settings.store.check(ask);
    if (!decision.ok) return decision;
    return { ...decision, ok: false, retryAfter: FIRST_PAUSE, reason: "limited" };
  }

  #waiter(ask: Ask, { ms, signal }: Patience, settle: Waiter["end"]): Waiter {
    const callOff = alarm(ms, () => this.#expire(waiter));
    const abort = () => waiter.end({ error: (signal as StopSignal).reason });
    const waiter: Waiter = {
      ask,
      isLate: false,
      refusal: undefined,
      isOver: false,
      end: (outcome) => {
        if (waiter.isOver) return;
        waiter.isOver = true;
        callOff();
        signal?.removeEventListener("abort", abort);
        this.#leave(waiter);
        settle(outcome);
      },
    };
    signal?.addEventListener("abort", abort);
    return waiter;
  }

  /** Its time is over: an answer under way may still be a yes. */
  #expire(waiter: Waiter): void {
    waiter.isLate = true;
    if (this.#isAsking && waiter === this.#waiters[0]) return;
    if (waiter.refusal !== undefined) waiter.end({ decision: waiter.refusal });
    else this.#refuse(waiter);
  }

  /** One that has never been first in line is told what there is. */
  #refuse(waiter: Waiter): void {
    this.#turnAway(waiter.ask).then(
      (decision) => waiter.end({ decision }),
      (error) => waiter.end({ error }),
    );
  }

  #leave(waiter: Waiter): void {
    const wasFirst = waiter === this.#waiters[0];
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    if (this.#waiters.length === 0) {
      this.#callOff();
      if (!this.#isAsking) this.#emptied();
    } else if (wasFirst && !this.#isAsking) this.#ask();
  }

  /** Lets the first in line ask. */
  #ask(): void {
    const [first] = this.#waiters;
    if (first === undefined || this.#isAsking) return;
    this.#callOff();
    this.#isAsking = true;
    this.#mustAskAgain = false;
    const { store } = this.#settings;
    const answered = (decision: Decision) => this.#answered(first, decision);
    const failed = (error: unknown) => this.#goOn(first, () => first.end({ error }));
    try {
      const answer = store.limit(first.ask);
      if (store.mode === "now") answered(answer as Decision);
      else Promise.resolve(answer).then(answered, failed);
    } catch (error) {
      failed(error);
    }
  }

  #answered(first: Waiter, decision: Decision): void {
    this.#goOn(first, () => {
      if (decision.ok && first.isOver) this.#giveBack(first.ask);
      else if (decision.ok || decision.reason !== "limited" || first.isLate)
        first.end({ decision });
      else first.refusal = decision;
    });
  }

  /** Deals with the first in line, and lets whoever is first then ask. */
  #goOn(first: Waiter, deal: () => void): void {
    deal();
    this.#isAsking = false;
    if (this.#waiters.length === 0) this.#emptied();
    else if (this.#mustAskAgain || this.#waiters[0] !== first) this.#ask();
    else this.#askLater(first.refusal?.retryAfter ?? LONGEST_PAUSE);
  }

  /** Whoever asked has gone meanwhile. */
  #giveBack({ plan, key, count, lease }: Ask): void {
    const held = { id: lease?.id as number, count };
    const { store } = this.#settings;
    new Promise((done) => done(store.release({ plan, key }, held))).catch(() => {});
  }

  /** Soon at first, then more and more rarely; not before somebody's time is over, if that is later. */
  #askLater(retryAfter: number): void {
    const pause = this.#pause * (1 - this.#settings.random() / 2);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
    this.#callOff = alarm(Math.min(pause, retryAfter), () => this.#ask());
  }
}
