import { Line, type Reading, readNow } from "../../internal/index.ts";
import {
  type Ask,
  alarm,
  type Decision,
  type Mode,
  type Random,
  refused,
} from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";
import type { DirectStore } from "../store.ts";
import { FIRST_PAUSE, Pauses } from "./pauses.ts";
import type { Slice } from "./slice.ts";
import { type Turn, Waiter, type WaiterObserver, type WaiterSettings } from "./waiter.ts";

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

/**
 * Those who wait for one budget, first come, first served. They ask in the order of the line: the first to see
 * whether there is room, and those behind it beside it as far as units are known to be free, so that a store
 * across a network hears of all of them in one request.
 */
export class Queue<M extends Mode> {
  readonly #settings: QueueSettings<M>;
  readonly #slice: Slice | undefined;
  readonly #emptied: () => void;
  readonly #waiters = new Line<Waiter>();
  /** The first in line that is not asking; undefined where there is none. */
  #idle: Waiter | undefined;
  #joined = 0;
  /** Asks that are under way. */
  #asking = 0;
  /** Whether the first may ask though no units are known to be free, and whether it is doing so. */
  #mayProbe = true;
  #isProbing = false;
  /** Whether an answer is dealt with, which goes on by itself. */
  #isDealing = false;
  /** Whether it asks in a later turn, for there was much to be done in this one. */
  #isPutOff = false;
  /** Whether nobody waits any more. */
  #hasEnded = false;
  /** Units that are known to be free, and that nobody here asks for. */
  #free = 0;
  /** Units that came back since the last ask: its answer says nothing of them. */
  #freedSince = 0;
  /** What the first in line was refused with, where that was the last answer. */
  #refusal: Decision | undefined;
  readonly #pauses: Pauses;
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
    this.#pauses = new Pauses(settings.random, slice);
    this.#emptied = emptied;
  }

  /** Waits in line; a refusal at once where too many do. */
  join(ask: Ask, wait: CheckedWait): Promise<Turn> {
    if (this.#waiters.length >= this.#settings.most) return this.#turnAway(ask);
    const place = this.#joined++;
    const waiter = new Waiter({ ask, wait, place }, this.#observer, this.#settings);
    this.#waiters.join(waiter);
    this.#idle ??= waiter;
    if (this.#waiters.length === 1 || this.#asking > 0) this.#ask();
    return waiter.turn;
  }

  /** Units have come back. */
  freed(units: number): void {
    this.#pauses.restart();
    this.#free += units;
    this.#freedSince += units;
    this.#mayProbe = true;
    this.#ask();
  }

  /** It receives what there is, and takes nothing before those who wait. */
  async #turnAway(ask: Ask): Promise<Turn> {
    const { store } = this.#settings;
    const [checked] = await store.execute({ verb: "check", budgets: [ask] });
    const decision = checked as Decision;
    if (!decision.ok) return { ask, decision, asked: readNow() };
    const refusal = refused(decision, { retryAfter: FIRST_PAUSE, reason: "limited" });
    return { ask, decision: refusal, asked: readNow() };
  }

  /** An answer under way may still be a yes; one that has never asked receives what there is. */
  #late(waiter: Waiter): void {
    if (waiter.isAsking) return;
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
    if (waiter === this.#idle) this.#idle = waiter.behind;
    this.#waiters.leave(waiter);
    if (this.#isDealing || this.#asking > 0) return;
    this.#mayProbe ||= wasFirst;
    if (wasFirst) this.#ask();
  }

  /**
   * Lets those ask who may, in order, as long as others have had their chance. Of a great many, some ask in
   * later turns.
   */
  #ask(): void {
    if (this.#isPutOff || this.#hasEnded) return;
    this.#callOff();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const rest = this.#slice?.rest() ?? 0;
      if (rest > 0) {
        this.#wait(rest);
        return;
      }
      this.#isPutOff = !this.#settings.slices.permits(this.#askAgain);
      if (this.#isPutOff) return;
      this.#askFor(next);
    }
    if (this.#asking > 0) return;
    if (this.#waiters.first === undefined) this.#end();
    else this.#askLater();
  }

  readonly #askAgain = (): void => {
    this.#isPutOff = false;
    this.#ask();
  };

  #end(): void {
    this.#hasEnded = true;
    this.#emptied();
  }

  /** Who asks next: undefined where nobody does, or not yet. Nobody passes one who asks on the off chance. */
  #next(): Waiter | undefined {
    while (this.#idle?.isAsking || this.#idle?.isOver) this.#idle = this.#idle.behind;
    const next = this.#idle;
    if (next === undefined || this.#isProbing) return undefined;
    const mayProbe = this.#mayProbe && this.#asking === 0;
    return mayProbe || unitsFor(next) <= this.#free ? next : undefined;
  }

  /** Asks for a waiter, and deals with the answer: at once, or when it comes. */
  #askFor(waiter: Waiter): void {
    const { store, anew } = this.#settings;
    if (waiter.refusal !== undefined) waiter.ask = anew(waiter.ask);
    const { ask } = waiter;
    this.#begin(waiter);
    const asked = readNow();
    const dealt = (decision: Decision) => this.#deal(waiter, ask, { decision, asked });
    const failed = (error: unknown) => this.#fail(waiter, error);
    try {
      const answer = store.limit(ask);
      if (store.mode === "now") {
        dealt(answer as Decision);
      } else {
        Promise.resolve(answer)
          .then(dealt, failed)
          .then(() => this.#ask());
      }
    } catch (error) {
      failed(error);
    }
  }

  #begin(waiter: Waiter): void {
    const units = unitsFor(waiter);
    waiter.isAsking = true;
    this.#asking++;
    this.#isProbing = units > this.#free;
    this.#mayProbe = false;
    this.#free = Math.max(0, this.#free - units);
    this.#freedSince = 0;
  }

  #fail(waiter: Waiter, error: unknown): void {
    this.#answered(waiter, () => waiter.fail(error));
    this.#mayProbe = true;
  }

  #deal(waiter: Waiter, ask: Ask, answer: Answered): void {
    const { decision } = answer;
    this.#slice?.answered(decision, { units: ask.count, asked: answer.asked.elapsed });
    if (decision.ok && waiter.isOver) {
      this.#giveBack(ask);
      this.#free += unitsFor(waiter);
      this.#mayProbe = true;
      this.#answered(waiter, () => waiter.end(decision));
      return;
    }
    this.#answered(waiter, () => this.#pass(waiter, answer));
    this.#learn(waiter, decision);
  }

  /** Passes an answer on, unless it is a refusal after which it goes on waiting. */
  #pass(waiter: Waiter, { decision, asked }: Answered): void {
    if (decision.ok || decision.reason !== "limited" || waiter.isLate) waiter.end(decision, asked);
    else waiter.refusal = decision;
  }

  /** It is not asking any more. Where it goes on waiting, it comes before all that joined later. */
  #answered(waiter: Waiter, deal: () => void): void {
    waiter.isAsking = false;
    this.#asking--;
    this.#isProbing = false;
    this.#isDealing = true;
    deal();
    this.#isDealing = false;
    const isFirst = this.#idle === undefined || waiter.place < this.#idle.place;
    if (isFirst && !waiter.isOver) this.#idle = waiter;
  }

  /** What an answer says for those who come next. A store in this process need not be asked to be sure. */
  #learn(waiter: Waiter, decision: Decision): void {
    const { ok, remaining } = decision;
    const { isOwn } = this.#settings.store;
    const isKept = !waiter.isOver;
    this.#refusal = isKept && waiter === this.#waiters.first ? decision : undefined;
    if (isKept) this.#free = Math.min(this.#free, this.#freedSince);
    else if (ok && isOwn) this.#free = remaining;
    else if (ok && this.#asking === 0) this.#free = Math.max(this.#free, remaining);
    this.#mayProbe ||= isKept ? this.#freedSince > 0 : !(ok && isOwn);
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
  #askLater(): void {
    this.#wait(this.#pauses.next(this.#waiters.first?.ask.plan, this.#refusal));
  }

  #wait(ms: number): void {
    this.#callOff = alarm(ms, () => {
      this.#mayProbe = true;
      this.#ask();
    });
  }
}

/** Units that have to be free for a waiter to get in. */
function unitsFor({ ask: { count, lease } }: Waiter): number {
  return Math.max(1, count) + (lease?.headroom ?? 0);
}
