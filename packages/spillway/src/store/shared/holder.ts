/**
 * What a process holds of one key: shares, and until when they may be used. Pure arithmetic: no clock, no
 * store. A holder stops before the store lets a share go, whatever its own clocks do.
 */
import type { Lent, ShareRef } from "../../core/index.ts";

/** An instant by two clocks of this process, in milliseconds. */
export type Reading = {
  /** Of a clock that never steps, and stands still while the machine sleeps. */
  readonly elapsed: number;
  /** Of the machine's clock, which goes on then, and may step. */
  readonly wall: number;
};

/** Clocks of store and process may differ by a thousandth, and by a millisecond of rounding. */
const DRIFT = 0.999;
const ROUNDING = 1;

type Share = {
  readonly id: number;
  units: number;
  /** When the draw was sent: the store counts from later on. */
  readonly sent: Reading;
  /** Milliseconds from `sent` for which it may be used. */
  readonly lasts: number;
};

/** A draw that has no answer yet. */
type Sent = { readonly id: number; readonly sent: Reading };

/** The shares of a key that this process holds. */
export class Holder {
  /** In the order in which they were lent. */
  #shares: Share[] = [];
  /** Draws that have no answer yet: each is accepted once. */
  #sent: Sent[] = [];
  #units = 0;

  /** Units that may be used, as of the last reading. */
  get units(): number {
    return this.#units;
  }

  /** Notes that a draw is about to be sent. */
  send(id: number, now: Reading): void {
    this.#sent.push({ id, sent: now });
  }

  /**
   * Takes in the answer to a draw, the first time that it comes; later ones are of no use.
   *
   * @param share The longest time for which units are held, in milliseconds.
   * @returns Units that may be used from now on.
   */
  accept(id: number, { units, lasts, unlisted }: Lent, share: number): number {
    const index = this.#sent.findIndex((one) => one.id === id);
    if (index < 0) return 0;
    const [{ sent }] = this.#sent.splice(index, 1) as [Sent];
    for (const lost of unlisted) this.#drop(lost);
    if (units <= 0) return 0;
    const usable = Math.min(share, lasts) * DRIFT - ROUNDING;
    this.#shares.push({ id, units, sent, lasts: usable });
    this.#units += units;
    return units;
  }

  /** Gives up a draw: no answer to it is accepted any more. It is to be given back by name. */
  abandon(id: number): void {
    this.#sent = this.#sent.filter((one) => one.id !== id);
  }

  /** Uses units, if so many are here; those first that end first. */
  take(count: number, now: Reading): boolean {
    this.dropEnded(now);
    if (count > this.#units) return false;
    this.#units -= count;
    let rest = count;
    for (const share of this.#shares) {
      const part = Math.min(rest, share.units);
      share.units -= part;
      rest -= part;
      if (rest === 0) break;
    }
    return true;
  }

  /** What is left of each share, for the store. Those of which nothing is left are said once. */
  report(): readonly ShareRef[] {
    const left = this.#shares.map(({ id, units }) => ({ id, units }));
    this.#shares = this.#shares.filter(({ units }) => units > 0);
    return left;
  }

  /** Gives up all that is held: none of it may be used any more. */
  giveUp(): readonly ShareRef[] {
    const left = this.#shares.map(({ id, units }) => ({ id, units }));
    this.#shares = [];
    this.#units = 0;
    return left;
  }

  /** Forgets what may be used no longer. */
  dropEnded(now: Reading): void {
    const first = this.#shares[0];
    if (first === undefined) return;
    if (!this.#shares.some((share) => hasEnded(share, now))) return;
    this.#shares = this.#shares.filter((share) => !hasEnded(share, now));
    this.#units = this.#shares.reduce((sum, { units }) => sum + units, 0);
  }

  #drop(id: number): void {
    const share = this.#shares.find((one) => one.id === id);
    if (share === undefined) return;
    this.#units -= share.units;
    this.#shares = this.#shares.filter((one) => one !== share);
  }
}

/** By the clock that has gone further: one may have stepped back, the other stood still. */
function hasEnded({ sent, lasts }: Share, now: Reading): boolean {
  return Math.max(now.elapsed - sent.elapsed, now.wall - sent.wall) >= lasts;
}
