import { type ClockReading, Line, readNow } from "../../internal/index.ts";
import { type Ask, alarm, type Decision, type Timing } from "../../limits/core/index.ts";
import type { CheckedWait } from "../options.ts";
import type { HandoverWindow } from "./handover-window.ts";
import { Pauses } from "./pauses.ts";
import type { QueueSettings } from "./queue-settings.ts";
import { turnAway } from "./turn-away.ts";
import { Waiter, type WaiterObserver, type WaitingCall } from "./waiter.ts";

/** The decision of the store, and when the request was sent. */
type TimedDecision = { readonly decision: Decision; readonly asked: ClockReading };

/**
 * The waiters of one budget, first come, first served.
 *
 * They ask the store in order. The first one asks to see whether units are free. Those behind it
 * ask at the same time, as far as units are known to be free. So a store across a network receives
 * all of their asks in one request.
 */
export class WaiterQueue<M extends Timing> {
  readonly #settings: QueueSettings<M>;
  readonly #handover: HandoverWindow | undefined;
  readonly #emptied: () => void;
  readonly #waiters = new Line<Waiter>();
  /** The first waiter that is not asking; undefined if there is none. */
  #idle: Waiter | undefined;
  #joined = 0;
  /** The number of requests in flight. */
  #asking = 0;
  /** Whether the first waiter may ask without units known to be free; and whether it does so. */
  #mayProbe = true;
  #isProbing = false;
  /** Whether an answer is being handled. The next requests follow after that. */
  #isDealing = false;
  /** Whether the next requests wait for a later turn, because this one had much work. */
  #isPutOff = false;
  /** Whether the queue has ended, with no waiter left. */
  #hasEnded = false;
  /** Units that are known to be free, and that no waiter here is asking for. */
  #free = 0;
  /** Units released since the last request, which its answer may not include. */
  #freedSince = 0;
  /** The refusal of the first waiter, if that was the last answer. */
  #refusal: Decision | undefined;
  readonly #pauses: Pauses;
  #callOff: () => void = () => {};
  readonly #observer: WaiterObserver = {
    late: (one) => this.#late(one),
    left: (one) => this.#left(one),
  };

  /**
   * @param handover How long units may be handed over here; undefined if no other process has any.
   * @param emptied Called when no waiter is left.
   */
  constructor(
    settings: QueueSettings<M>,
    handover: HandoverWindow | undefined,
    emptied: () => void,
  ) {
    this.#settings = settings;
    this.#handover = handover;
    this.#pauses = new Pauses(settings.random, handover);
    this.#emptied = emptied;
  }

  /** Waits in the queue. Resolves with a refusal at once if too many calls wait. */
  join(ask: Ask, wait: CheckedWait): Promise<WaitingCall> {
    if (this.#waiters.length >= this.#settings.most) return turnAway(this.#settings, ask);
    const place = this.#joined++;
    const waiter = new Waiter({ ask, wait, place }, this.#observer, this.#settings);
    this.#waiters.join(waiter);
    this.#idle ??= waiter;
    if (this.#waiters.length === 1 || this.#asking > 0) this.#ask();
    return waiter.turn;
  }

  /** Called when units have been released. */
  freed(units: number): void {
    this.#pauses.restart();
    this.#free += units;
    this.#freedSince += units;
    this.#mayProbe = true;
    this.#ask();
  }

  /**
   * Lets all go on by the present definitions, and those go that are not kept waiting any more. A
   * call whose limit was removed fails.
   */
  changed(): void {
    const waiting: Waiter[] = [];
    for (let one = this.#waiters.first; one !== undefined; one = one.behind) {
      if (!one.isAsking && !one.isOver) waiting.push(one);
    }
    // Nobody asks by a definition that is about to be replaced.
    this.#isDealing = true;
    const defined = waiting.filter((waiter) => waiter.redefine(this.#settings.anew));
    this.#isDealing = false;
    for (const waiter of defined) {
      if (waiter.ask.settings?.mode !== "enforce" && !waiter.isAsking) this.#askFor(waiter);
    }
    this.freed(0);
  }

  /**
   * Ends a waiter whose time is over.
   *
   * If a request for it is in flight, the answer may still admit it. If it was never asked for, it
   * receives a refusal based on a check.
   */
  #late(waiter: Waiter): void {
    if (waiter.isAsking) return;
    const { refusal } = waiter;
    if (refusal !== undefined) {
      waiter.end(refusal);
      return;
    }
    turnAway(this.#settings, waiter.ask).then(
      ({ ask, decision, asked }) => {
        if (decision.ok && waiter.isOver) this.#giveBack(ask);
        waiter.ask = ask;
        waiter.end(decision, asked);
      },
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
   * Asks for all waiters that may ask, in order, once other processes have had their chance.
   *
   * If there are many, some ask in later turns of the event loop.
   */
  #ask(): void {
    if (this.#isPutOff || this.#hasEnded) return;
    this.#callOff();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const rest = this.#handover?.rest() ?? 0;
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

  /**
   * Returns the waiter that asks next; undefined if no waiter may ask now.
   *
   * While the first one asks without units known to be free, no other waiter asks.
   */
  #next(): Waiter | undefined {
    while (this.#idle?.isAsking || this.#idle?.isOver) this.#idle = this.#idle.behind;
    const next = this.#idle;
    if (next === undefined || this.#isProbing) return undefined;
    const mayProbe = this.#mayProbe && this.#asking === 0;
    return mayProbe || unitsFor(next) <= this.#free ? next : undefined;
  }

  /** Asks the store for a waiter and handles the answer: at once, or when it arrives. */
  #askFor(waiter: Waiter): void {
    const { store, anew } = this.#settings;
    if (waiter.refusal !== undefined && !waiter.redefine(anew)) return;
    const { ask } = waiter;
    this.#begin(waiter);
    const asked = readNow();
    const dealt = (decision: Decision) => this.#deal(waiter, ask, { decision, asked });
    const failed = (error: unknown) => this.#fail(waiter, error);
    try {
      const answer = store.limit(ask);
      if (store.timing === "now") {
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

  #deal(waiter: Waiter, ask: Ask, answer: TimedDecision): void {
    const { decision } = answer;
    this.#handover?.answered(decision, { units: ask.count, asked: answer.asked.elapsed });
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

  /** Passes an answer to its waiter, unless it is a refusal and the waiter continues to wait. */
  #pass(waiter: Waiter, { decision, asked }: TimedDecision): void {
    if (decision.ok || decision.reason !== "limited" || waiter.isLate) waiter.end(decision, asked);
    else waiter.refusal = decision;
  }

  /** Ends a waiter's request. If it continues, it precedes all waiters that joined later. */
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

  /** Learns how many units are free. This is certain only if no other process uses the store. */
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

  /** Releases a lease whose waiter has left in the meantime. */
  #giveBack({ plan, key, count, lease }: Ask): void {
    const ref = { id: lease?.id as number, count };
    const { store } = this.#settings;
    new Promise((done) =>
      done(store.execute({ verb: "release", budgets: [{ plan, key }], lease: ref })),
    ).catch(() => {});
  }

  /**
   * Schedules the next request: soon at first, then less and less often.
   *
   * It is not later than the next expiry of a lease. While units change hands in other processes,
   * the pauses stay short.
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

/** Returns the units that must be free for a waiter to be admitted. */
function unitsFor({ ask: { count, lease } }: Waiter): number {
  return Math.max(1, count) + (lease?.headroom ?? 0);
}
