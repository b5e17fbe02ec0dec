import { MOST_SHARES } from "../../limits/algorithms/index.ts";
import {
  type Budget,
  type Decision,
  type Draw,
  type Drawn,
  MOST_UNITS,
  type ShareRef,
} from "../../limits/core/index.ts";
import { answerHere } from "./answer-here.ts";
import { Demand } from "./demand.ts";
import { type Aside, Holder } from "./holder.ts";
import type { Reading } from "./readings.ts";
import { Shortage, type Wait } from "./shortage.ts";

/** Of what was held, so much is left when the next draw is made. */
const LOW = 4;

/**
 * No more than such a part of the capacity is held, or than so few units: what was used and is not reported yet
 * can't refill, so a key that was at rest would lose that much.
 */
const PART = 1 / 8;
const FEW = 40;

/** What was seen of a key when it was checked last: its asks and calls, and how many checks in a row found no more. */
export type Checked = { readonly asks: number; readonly calls: number; readonly idle: number };

/** Of keys that were not checked yet, and that owe nothing: all have these in common, for there are many. */
const UNCHECKED: Checked = { asks: 0, calls: 0, idle: 0 };
const NOTHING: readonly ShareRef[] = [];

/** What a draw is to say beside what it reports. */
export type Drawing = {
  /** Distinguishes the share. */
  readonly id: number;
  /** Whether to be lent what is wanted; else it only reports. */
  readonly isWanted: boolean;
  /** Whether all that is held goes back, for the store to decide with it. */
  readonly isOffered?: boolean;
};

/**
 * A key of which units are lent: what is held, what is wanted, and what the store has too little of. It decides
 * what is said to the store and what is answered here; it asks nobody, and knows no clock.
 */
export class LentKey {
  readonly budget: Budget;
  readonly holder = new Holder();
  readonly shortage: Shortage;
  /** Asks so far, and those that went to the store. */
  asks = 0;
  calls = 0;
  checked = UNCHECKED;
  /** Asks so far when it was passed over last, to make room. */
  passedAt = 1;
  /** What is under way that will bring units; undefined where nothing is. */
  flight: Promise<unknown> | undefined;
  /** Whether it is not checked after any more: nothing is lent of it. */
  isGone = false;
  readonly #demand: Demand;
  /** Shares that are to go back: what became of them is not known, or nothing is left of them. */
  #owed = NOTHING;
  /** Whether units were used here of which the store has not heard, as far as is known. */
  #hasNews = false;
  /** With so few units left, the next draw is made. */
  #low = -1;
  /** The instant at which the key is reset, as far as the store has said. */
  #resetAt = 0;

  constructor({ plan, key, settings, alignedWith }: Budget, now: Reading) {
    this.budget = { plan, key, settings, ...(alignedWith && { alignedWith }) };
    this.shortage = new Shortage(plan);
    this.#demand = new Demand(now.elapsed, plan.share);
  }

  /** Whether something was used here that the store has not heard of. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Whether there is something to give back, or to say of what was used. */
  get owes(): boolean {
    return this.#hasNews || this.#owed.length > 0;
  }

  /** Notes a call, whatever comes of it. */
  note(count: number): void {
    this.asks++;
    this.shortage.note();
    this.#demand.note(count);
  }

  /** Takes units that are held; false where there are too few. A count of 0 asks whether there is one. */
  take(count: number, now: Reading): boolean {
    if (!this.holder.take(count, now) || (count === 0 && this.holder.units === 0)) return false;
    this.#hasNews ||= count > 0;
    return true;
  }

  /** Whether so little is left that more is to be drawn, though nobody waits for it. */
  isLow(now: Reading): boolean {
    if (this.holder.units > this.#low || this.flight !== undefined) return false;
    return !this.shortage.isHeldOff(now.elapsed);
  }

  /** How long a call has to wait for which too little is held; undefined where the store is to decide. */
  waitOf(count: number, { elapsed }: Reading): Wait | undefined {
    return this.shortage.waitOf(count, elapsed, this.flight !== undefined);
  }

  /** Whether more can be drawn now, though nobody waits for it. */
  mayDraw(now: Reading): boolean {
    const { flight, asks } = this;
    return flight === undefined && asks > 1 && !this.shortage.isHeldOff(now.elapsed);
  }

  /** Uses units that were set aside. */
  useAside(parts: readonly Aside[]): void {
    this.holder.useAside(parts);
    this.#hasNews ||= parts.length > 0;
  }

  /** What a draw says. It has to come to `drawn` or to `failed`. */
  draw({ id, isWanted, isOffered = false }: Drawing, now: Reading): Draw {
    this.holder.dropEnded(now);
    const back = isOffered ? [...this.#owed, ...this.holder.giveUp()] : this.#owed;
    const left = isOffered ? [] : this.holder.report().slice(-MOST_SHARES);
    const want = isWanted ? this.#want(now) : 0;
    this.#owed = NOTHING;
    this.#hasNews = false;
    this.holder.send(id, now);
    return { id, want, left, back: back.slice(-MOST_SHARES) };
  }

  /** Takes in what a draw was answered. */
  drawn(drawn: Drawn, { id, want }: Draw, { count, now }: { count: number; now: Reading }): number {
    const units = this.holder.accept(id, drawn.lent, this.budget.plan.share);
    this.#low = Math.floor(this.holder.units / LOW);
    this.#resetAt = now.elapsed + drawn.decision.resetAfter;
    this.shortage.drawn(drawn, { count, want }, now.elapsed);
    return units;
  }

  /** A draw has no answer: what it may have lent goes back, and what it said is said again. */
  failed({ id, left, back }: Draw, now: Reading): void {
    this.holder.abandon(id);
    const over = left.filter(({ units }) => units === 0);
    this.#owe([...back, ...over, { id, units: MOST_UNITS }]);
    this.#hasNews = true;
    this.shortage.failed(now.elapsed);
  }

  /** Takes in what the store has decided without a draw. */
  decided(decision: Decision, count: number, now: Reading): void {
    this.#resetAt = now.elapsed + decision.resetAfter;
    this.shortage.decided(decision, count, now.elapsed);
  }

  /** Gives up all that is held, and all that may be on its way: it goes back with the next draw. */
  giveUp(): number {
    const units = this.holder.units;
    const lost = this.holder.abandonAll().map((id) => ({ id, units: MOST_UNITS }));
    this.#owe([...this.holder.giveUp(), ...lost]);
    this.#low = -1;
    return units;
  }

  /** Gives up what ends in so many milliseconds, if it would be missed: it goes back with the next draw. */
  endSoon(ms: number, now: Reading): boolean {
    this.holder.dropEnded(now);
    if (this.#isRefilledSoon) return false;
    const ending = this.holder.giveUpEnding(ms, now);
    this.#owe(ending);
    return ending.length > 0;
  }

  /** What is answered to a call that was admitted here, of units that are held. */
  admitted(now: Reading): Decision {
    const { remaining } = this;
    return answerHere(this.budget.plan, { remaining, resetAfter: this.#resetAfter(now) });
  }

  /** What the store has decided, as it is answered: no wait is shorter than until it is asked again. */
  answered(decision: Decision, now: Reading): Decision {
    const { ok, remaining, retryAfter, resetAfter } = decision;
    if (ok) return { ...decision, remaining: Math.max(remaining, this.remaining) };
    const next = this.shortage.nextCall(now.elapsed);
    if (retryAfter >= next) return decision;
    return { ...decision, retryAfter: next, resetAfter: Math.max(next, resetAfter) };
  }

  /** What is answered to a call that is refused here, for the store has too little. */
  refused(wait: Wait, now: Reading): Decision {
    const remaining = this.holder.units;
    const resetAfter = Math.max(wait.ms, this.#resetAfter(now));
    return answerHere(this.budget.plan, { remaining, resetAfter }, wait);
  }

  /** Units that are held, and those that the store had left. */
  get remaining(): number {
    return Math.min(this.budget.plan.capacity, this.holder.units + this.shortage.left);
  }

  /** Units to be lent beside those that are held. */
  #want({ elapsed }: Reading): number {
    const { units } = this.holder;
    const most = Math.max(FEW, Math.ceil(this.budget.plan.capacity * PART));
    // A key that needs less than one unit in that time is asked for as if nothing were lent.
    const isScarce = this.shortage.isLasting(elapsed);
    const wanted = this.#demand.want(units, elapsed, { isScarce });
    return wanted < 1 ? 0 : Math.max(0, Math.min(Math.ceil(wanted), most - units));
  }

  /** Whether what is held would come back to a bucket sooner than the time is over for which it is held. */
  get #isRefilledSoon(): boolean {
    const { kind, rate, period, share } = this.budget.plan;
    return kind === "token bucket" && this.holder.units * period <= share * rate;
  }

  #resetAfter(now: Reading): number {
    return Math.max(0, Math.ceil(this.#resetAt - now.elapsed));
  }

  #owe(shares: readonly ShareRef[]): void {
    this.#owed = [...this.#owed, ...shares].slice(-MOST_SHARES);
  }
}
