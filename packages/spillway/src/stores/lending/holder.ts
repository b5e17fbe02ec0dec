/**
 * What a process holds of one key: shares, and until when they may be used. Pure arithmetic: no clock, no
 * store. A holder stops before the store lets a share go, whatever its own clocks do.
 */
import { laterBy } from "../../internal/index.ts";
import { type Lent, MOST_UNITS, type ShareRef } from "../../limits/core/index.ts";
import { hasCome, type Reading, surelyUntil } from "./readings.ts";

type Share = {
  readonly id: number;
  units: number;
  /** Units that are set aside: neither used nor free. */
  aside: number;
  /** When it may be used no longer, by either clock. */
  readonly ends: Reading;
  /** Whether it ends before its time, with its window: what is not used then is not missed. */
  readonly isCut: boolean;
};

/** A draw that has no answer yet. */
type Sent = {
  readonly id: number;
  /** When it was sent: the lender counts from later on. */
  readonly sent: Reading;
  /** What it said that was said once. */
  readonly said: readonly ShareRef[];
};

/** Units that are set aside, of a share. */
export type Aside = { readonly holder: Holder; readonly share: Share; readonly units: number };

/** Uses what was set aside. */
export function useAsides(asides: readonly Aside[]): void {
  for (const { share, units } of asides) share.aside -= units;
}

/** Puts back what was set aside. */
export function putBackAsides(asides: readonly Aside[]): void {
  for (const aside of asides) aside.holder.putBack([aside]);
}

/** Of the many keys of which nothing is held. */
const NONE: readonly never[] = [];
const NEVER: Reading = { elapsed: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };

/** The shares of a key that this process holds. */
export class Holder {
  // Lists are made anew, no longer than they are: one that is pushed to has room for 16 more, of each key.
  /** In the order in which they were lent. */
  #shares: readonly Share[] = NONE;
  /** Draws that have no answer yet: each is accepted once. */
  #sent: readonly Sent[] = NONE;
  #units = 0;
  /** When the first of the shares ends, by either clock. */
  #firstEnd = NEVER;
  #expired = 0;

  /** Units that may be used, as of the last reading. */
  get units(): number {
    return this.#units;
  }

  /** When the first share ends that is missed then, by the clock that never steps; Infinity where there is none. */
  get nextEnding(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const share of this.#shares)
      if (isMissed(share)) next = Math.min(next, share.ends.elapsed);
    return next;
  }

  /** The draw that was sent first of those that have no answer yet. */
  get unanswered(): Sent | undefined {
    return this.#sent[0];
  }

  /** Notes that a draw is about to be sent, and what of it is to be said again if it is lost. */
  send(id: number, now: Reading, said: readonly ShareRef[] = NONE): void {
    this.#sent = [...this.#sent, { id, sent: now, said }];
  }

  /**
   * Takes in the answer to a draw, the first time that it comes; later ones are of no use.
   *
   * @param share The longest time for which units are held, in milliseconds.
   * @returns Units that may be used from now on.
   */
  accept(id: number, { units, lasts, unlisted }: Lent, share: number): number {
    const sent = this.#sent.find((one) => one.id === id)?.sent;
    if (sent === undefined) return 0;
    this.#sent = those(this.#sent, (one) => one.id !== id);
    if (unlisted.length > 0) this.#keepThose((one) => !unlisted.includes(one.id));
    if (units <= 0) return 0;
    const ends = surelyUntil(sent, Math.min(share, lasts));
    this.#shares = [...this.#shares, { id, units, aside: 0, ends, isCut: lasts < share }];
    this.#units += units;
    this.#firstEnd = firstOf(this.#firstEnd, ends);
    return units;
  }

  /** Gives up a draw: no answer to it is accepted any more. Returns what it said, and its share, to be given back. */
  abandon(id: number): readonly ShareRef[] {
    const said = this.#sent.find((one) => one.id === id)?.said ?? NONE;
    this.#sent = those(this.#sent, (one) => one.id !== id);
    return [...said, { id, units: MOST_UNITS }];
  }

  /** The same of all draws that have no answer yet. */
  abandonAll(): readonly ShareRef[] {
    return this.#sent.flatMap(({ id }) => this.abandon(id));
  }

  /** Uses units, if so many are here; those first that end first. */
  take(count: number, now: Reading): boolean {
    if (hasCome(this.#firstEnd, now)) this.dropEnded(now);
    if (count > this.#units) return false;
    this.#units -= count;
    this.#useUp(count);
    return true;
  }

  /** Sets units aside, if so many are here: the store goes on hearing that they are not used. */
  setAside(count: number, now: Reading): readonly Aside[] | undefined {
    if (hasCome(this.#firstEnd, now)) this.dropEnded(now);
    if (count > this.#units) return undefined;
    this.#units -= count;
    const parts = this.#spread(count);
    for (const { share, units } of parts) share.aside += units;
    return parts;
  }

  /** Uses units that were set aside. */
  useAside(parts: readonly Aside[]): void {
    for (const { share, units } of parts) share.aside -= units;
  }

  /** Puts units back that were set aside; those of shares that are over are lost. */
  putBack(parts: readonly Aside[]): void {
    for (const { share, units } of parts) {
      share.aside -= units;
      if (!this.#shares.includes(share)) continue;
      share.units += units;
      this.#units += units;
    }
  }

  /** What is left of each share, for the store. Those of which nothing is left are said once. */
  report(): readonly ShareRef[] {
    const left = this.#shares.map(({ id, units, aside }) => ({ id, units: units + aside }));
    this.#keepThose(({ units, aside }) => units + aside > 0);
    return left;
  }

  /** Gives up shares of which nothing is set aside; what a refusal puts back would be lost. */
  offer(): readonly ShareRef[] {
    const offered = this.#shares.filter(({ aside }) => aside === 0);
    this.#keepThose(({ aside }) => aside > 0);
    return offered.map(({ id, units }) => ({ id, units }));
  }

  /** Gives up all that is held: none of it may be used any more, but for what is set aside. */
  giveUp(): readonly ShareRef[] {
    const left = this.#shares.map(({ id, units }) => ({ id, units }));
    this.#keepThose(() => false);
    return left;
  }

  /** Gives up what is left of shares that end in so many milliseconds, if it would be missed; returns it. */
  giveUpEnding(ms: number, now: Reading): readonly ShareRef[] {
    const then = laterBy(ms, now);
    const isEnding = (share: Share) => isMissed(share) && hasCome(share.ends, then);
    const ending = this.#shares.filter(isEnding).map(({ id, units }) => ({ id, units }));
    if (ending.length > 0) this.#keepThose((share) => !isEnding(share));
    return ending;
  }

  /** Forgets what may be used no longer. */
  dropEnded(now: Reading): void {
    const before = this.#units;
    this.#keepThose(({ ends }) => !hasCome(ends, now));
    this.#expired += before - this.#units;
  }

  /** Units that have ended unused since this was asked last. */
  takeExpired(): number {
    const expired = this.#expired;
    this.#expired = 0;
    return expired;
  }

  /** Takes units off shares, from the first; it makes no list of them, for this is done for each call. */
  #useUp(count: number): void {
    let rest = count;
    for (const share of this.#shares) {
      if (share.units >= rest) {
        share.units -= rest;
        return;
      }
      rest -= share.units;
      share.units = 0;
    }
  }

  /** Takes units off shares, from the first, and says how many off which. */
  #spread(count: number): readonly Aside[] {
    const parts: Aside[] = [];
    let rest = count;
    for (const share of this.#shares) {
      if (rest === 0) break;
      const units = Math.min(rest, share.units);
      share.units -= units;
      rest -= units;
      if (units > 0) parts.push({ holder: this, share, units });
    }
    return parts;
  }

  #keepThose(isKept: (share: Share) => boolean): void {
    const kept = those(this.#shares, isKept);
    if (kept === this.#shares) return;
    this.#shares = kept;
    this.#units = this.#shares.reduce((sum, { units }) => sum + units, 0);
    this.#firstEnd = this.#shares.reduce((first, { ends }) => firstOf(first, ends), NEVER);
  }
}

/** Whether something of a share is missing after its end, if nobody uses it or gives it back. */
function isMissed({ units, isCut }: Share): boolean {
  return units > 0 && !isCut;
}

/** Those of a list, which is the list itself where they are all of it. */
function those<T>(list: readonly T[], isOne: (one: T) => boolean): readonly T[] {
  if (list.every(isOne)) return list;
  const kept = list.filter(isOne);
  return kept.length === 0 ? NONE : [...kept];
}

function firstOf(one: Reading, other: Reading): Reading {
  if (one === NEVER) return other;
  if (other === NEVER) return one;
  return {
    elapsed: Math.min(one.elapsed, other.elapsed),
    wall: Math.min(one.wall, other.wall),
  };
}
