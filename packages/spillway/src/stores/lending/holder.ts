/**
 * The shares of a key that a process holds, and until when it may use them. Pure arithmetic: no
 * clock, no store.
 *
 * A holder stops using a share before it expires in the store, even if the holder's clocks are
 * wrong.
 */
import { laterBy } from "../../internal/index.ts";
import { type Lent, MOST_UNITS, type ShareRef } from "../../limits/core/index.ts";
import { type ClockReading, hasCome, surelyUntil } from "./readings.ts";

type HeldShare = {
  readonly id: number;
  units: number;
  /** Units set aside for a call: neither used nor free. */
  aside: number;
  /** When it expires, by whichever clock reaches its instant first. */
  readonly ends: ClockReading;
  /** Whether it expires early, together with its window. Its unused units are not missing then. */
  readonly isCut: boolean;
};

/** A draw without an answer so far. */
type PendingDraw = {
  readonly id: number;
  /** When it was sent. The lender counts from a later instant. */
  readonly sent: ClockReading;
  /** The parts of its report that are sent only once. */
  readonly said: readonly ShareRef[];
};

/** Units set aside from a share. */
export type UnitsAside = {
  readonly holder: Holder;
  readonly share: HeldShare;
  readonly units: number;
};

/** Uses units that were set aside. */
export function useAsides(asides: readonly UnitsAside[]): void {
  for (const { share, units } of asides) share.aside -= units;
}

/** Puts back units that were set aside. */
export function putBackAsides(asides: readonly UnitsAside[]): void {
  for (const aside of asides) aside.holder.putBack([aside]);
}

/** Shared by the many keys without held units. */
const NONE: readonly never[] = [];
const NEVER: ClockReading = { elapsed: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };

/** The shares of a key that this process holds. */
export class Holder {
  // Lists are replaced, not extended: an array that was pushed to keeps room for 16 more entries,
  // for each key.
  /** In the order in which they were lent. */
  #shares: readonly HeldShare[] = NONE;
  /** Draws without an answer so far. Each is accepted once. */
  #sent: readonly PendingDraw[] = NONE;
  #units = 0;
  /** When the first share expires, by either clock. */
  #firstEnd = NEVER;
  #expired = 0;

  /** Units that may be used, as of the last reading of the clocks. */
  get units(): number {
    return this.#units;
  }

  /**
   * When the first share expires whose unused units would be missing, by the monotonic clock;
   * Infinity if there is none.
   */
  get nextEnding(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const share of this.#shares)
      if (isMissed(share)) next = Math.min(next, share.ends.elapsed);
    return next;
  }

  /** The oldest draw without an answer. */
  get unanswered(): PendingDraw | undefined {
    return this.#sent[0];
  }

  /** Records that a draw is about to be sent, and what must be reported again if it is lost. */
  send(id: number, now: ClockReading, said: readonly ShareRef[] = NONE): void {
    this.#sent = [...this.#sent, { id, sent: now, said }];
  }

  /**
   * Accepts the answer to a draw. Only the first answer has an effect.
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

  /**
   * Gives up a draw, so that a later answer is ignored. Returns its report and its share, which
   * must be given back.
   */
  abandon(id: number): readonly ShareRef[] {
    const said = this.#sent.find((one) => one.id === id)?.said ?? NONE;
    this.#sent = those(this.#sent, (one) => one.id !== id);
    return [...said, { id, units: MOST_UNITS }];
  }

  /** Gives up all draws without an answer. */
  abandonAll(): readonly ShareRef[] {
    return this.#sent.flatMap(({ id }) => this.abandon(id));
  }

  /** Uses units if there are enough. The oldest shares are used first. */
  take(count: number, now: ClockReading): boolean {
    if (hasCome(this.#firstEnd, now)) this.dropEnded(now);
    if (count > this.#units) return false;
    this.#units -= count;
    this.#useUp(count);
    return true;
  }

  /** Sets units aside if there are enough. They are still reported to the store as unused. */
  setAside(count: number, now: ClockReading): readonly UnitsAside[] | undefined {
    if (hasCome(this.#firstEnd, now)) this.dropEnded(now);
    if (count > this.#units) return undefined;
    this.#units -= count;
    const parts = this.#spread(count);
    for (const { share, units } of parts) share.aside += units;
    return parts;
  }

  /** Uses units that were set aside. */
  useAside(parts: readonly UnitsAside[]): void {
    for (const { share, units } of parts) share.aside -= units;
  }

  /** Puts units back that were set aside. Units of expired shares are lost. */
  putBack(parts: readonly UnitsAside[]): void {
    for (const { share, units } of parts) {
      share.aside -= units;
      if (!this.#shares.includes(share)) continue;
      share.units += units;
      this.#units += units;
    }
  }

  /** Returns what is left of each share, for the store. Empty shares are reported once. */
  report(): readonly ShareRef[] {
    const left = this.#shares.map(({ id, units, aside }) => ({ id, units: units + aside }));
    this.#keepThose(({ units, aside }) => units + aside > 0);
    return left;
  }

  /**
   * Gives up shares without set-aside units. The others are kept, because units put back after a
   * refusal would otherwise be lost.
   */
  offer(): readonly ShareRef[] {
    const offered = this.#shares.filter(({ aside }) => aside === 0);
    this.#keepThose(({ aside }) => aside > 0);
    return offered.map(({ id, units }) => ({ id, units }));
  }

  /** Gives up all shares. Only units set aside may still be used. */
  giveUp(): readonly ShareRef[] {
    const left = this.#shares.map(({ id, units }) => ({ id, units }));
    this.#keepThose(() => false);
    return left;
  }

  /** Gives up and returns shares that expire within `ms` and whose units would be missing. */
  giveUpEnding(ms: number, now: ClockReading): readonly ShareRef[] {
    const then = laterBy(ms, now);
    const isEnding = (share: HeldShare) => isMissed(share) && hasCome(share.ends, then);
    const ending = this.#shares.filter(isEnding).map(({ id, units }) => ({ id, units }));
    if (ending.length > 0) this.#keepThose((share) => !isEnding(share));
    return ending;
  }

  /** Forgets expired shares. */
  dropEnded(now: ClockReading): void {
    const before = this.#units;
    this.#keepThose(({ ends }) => !hasCome(ends, now));
    this.#expired += before - this.#units;
  }

  /** Returns the units that expired unused since the last call. */
  takeExpired(): number {
    const expired = this.#expired;
    this.#expired = 0;
    return expired;
  }

  /**
   * Takes units from shares, the first ones first. It allocates no list, because it runs for each
   * call.
   */
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

  /** Takes units from shares, the first ones first. Returns how many were taken from which. */
  #spread(count: number): readonly UnitsAside[] {
    const parts: UnitsAside[] = [];
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

  #keepThose(isKept: (share: HeldShare) => boolean): void {
    const kept = those(this.#shares, isKept);
    if (kept === this.#shares) return;
    this.#shares = kept;
    this.#units = this.#shares.reduce((sum, { units }) => sum + units, 0);
    this.#firstEnd = this.#shares.reduce((first, { ends }) => firstOf(first, ends), NEVER);
  }
}

/**
 * Whether units of a share are missing after its expiry, unless they are used or given back before.
 */
function isMissed({ units, isCut }: HeldShare): boolean {
  return units > 0 && !isCut;
}

/** Filters a list. Returns the list itself if nothing is removed. */
function those<T>(list: readonly T[], isOne: (one: T) => boolean): readonly T[] {
  if (list.every(isOne)) return list;
  const kept = list.filter(isOne);
  return kept.length === 0 ? NONE : [...kept];
}

function firstOf(one: ClockReading, other: ClockReading): ClockReading {
  if (one === NEVER) return other;
  if (other === NEVER) return one;
  return {
    elapsed: Math.min(one.elapsed, other.elapsed),
    wall: Math.min(one.wall, other.wall),
  };
}
