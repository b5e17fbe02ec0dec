/** Leases of the store of which a process hands out units, and those that go back to it. Pure arithmetic. */
import { hasCome, type Reading, surelyUntil } from "../readings.ts";

/** A lease of the store. */
export type StoreLease = {
  readonly id: number;
  readonly units: number;
  /** Units of it that nobody holds. */
  free: number;
  /** From when on none of it is handed out any more. */
  readonly ends: Reading;
  /** Whether units of it may be handed out again. */
  isKept: boolean;
  /** Whether the store has forgotten it. */
  isLost: boolean;
  /** Calls of `dropIdle` since some of it was handed out last. */
  idleFor: number;
};

/** Units of a lease of the store. */
export type Part = { readonly lease: StoreLease; readonly units: number };

/** A lease that the store has granted. */
export type Granted = {
  readonly id: number;
  readonly units: number;
  /** When the store was asked: it counts from later on. */
  readonly sent: Reading;
  readonly isKept: boolean;
};

/** A lease that nobody has asked for between so many checks goes back. */
const IDLE_CALLS = 2;

/** The leases of the store of one key. */
export class Stock {
  /** Units that the store had left when it was heard of last. */
  #left = 0;
  /** Units that went back to it since. */
  #returned = 0;
  readonly #share: number;
  /** Units that nobody holds, and that may be handed out. */
  #idle = 0;
  readonly #leases = new Set<StoreLease>();
  /** Leases with units to hand out; the last are handed out first, so that others become idle. */
  #free: StoreLease[] = [];
  /** Leases that nobody holds a unit of any more, to be given back. */
  #due: StoreLease[] = [];

  /** @param share For how long units of a lease are handed out, in milliseconds. */
  constructor(share: number) {
    this.#share = share;
  }

  get idle(): number {
    return this.#idle;
  }

  /** Units that the store has left, as far as is known here. */
  get leftThere(): number {
    return this.#left + this.#returned;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  /** Notes a lease that the store has granted, all of which is taken out. */
  add({ id, units, sent, isKept }: Granted): Part {
    const ends = surelyUntil(sent, this.#share);
    const lease = { id, units, free: 0, ends, isKept, isLost: false, idleFor: 0 };
    this.#leases.add(lease);
    return { lease, units };
  }

  /** The store has said how many units it has left. */
  heard(left: number): void {
    this.#left = left;
    this.#returned = 0;
  }

  /** Takes out up to so many units, to be handed out or put back. */
  take(most: number, now: Reading): readonly Part[] {
    const parts: Part[] = [];
    let rest = Math.min(most, this.#idle);
    for (let lease = this.#free.at(-1); lease !== undefined && rest > 0; ) {
      if (hasCome(lease.ends, now)) this.#retire(lease);
      const units = lease.isKept ? Math.min(rest, lease.free) : 0;
      if (units > 0) parts.push(this.#takeOff(lease, units));
      rest = Math.min(rest - units, this.#idle);
      if (!lease.isKept || lease.free === 0) this.#free.pop();
      lease = this.#free.at(-1);
    }
    return parts;
  }

  /** Puts back what was taken out, or is held no longer: it stays here, or goes back to the store. */
  putBack(parts: readonly Part[], now: Reading): void {
    for (const { lease, units } of parts) {
      if (hasCome(lease.ends, now)) this.#retire(lease);
      const isWhole = lease.free + units === lease.units;
      const stays = lease.isKept && (!isWhole || this.#idle + units <= this.#left);
      if (stays && lease.free === 0) this.#free.push(lease);
      if (!stays && isWhole) this.#retire(lease);
      lease.free += units;
      if (stays) this.#idle += units;
      else if (isWhole) this.#giveBack(lease);
    }
  }

  /** The store has forgotten a lease. */
  lost(lease: StoreLease): void {
    lease.isLost = true;
    this.#retire(lease);
    this.#leases.delete(lease);
  }

  /** Hands nothing out any more of what was granted up to now. */
  giveUp(): void {
    for (const lease of this.#leases) this.#retire(lease);
    this.#free = [];
  }

  /** Gives up what was not asked for between several calls of this. */
  dropIdle(): void {
    for (const lease of this.#free)
      if (lease.free === lease.units && ++lease.idleFor > IDLE_CALLS) this.#retire(lease);
  }

  /** Gives up what may be handed out no longer. */
  dropEnded(now: Reading): void {
    for (const lease of this.#free) if (hasCome(lease.ends, now)) this.#retire(lease);
    this.#free = this.#free.filter(({ isKept }) => isKept);
  }

  /** What is to be given back, once. */
  takeDue(): readonly StoreLease[] {
    const due = this.#due;
    if (due.length > 0) this.#due = [];
    return due;
  }

  #takeOff(lease: StoreLease, units: number): Part {
    lease.free -= units;
    lease.idleFor = 0;
    this.#idle -= units;
    return { lease, units };
  }

  /** Hands nothing of it out any more. */
  #retire(lease: StoreLease): void {
    if (!lease.isKept) return;
    lease.isKept = false;
    this.#idle -= lease.free;
    if (lease.free === lease.units) this.#giveBack(lease);
  }

  #giveBack(lease: StoreLease): void {
    this.#leases.delete(lease);
    if (lease.isLost) return;
    this.#due.push(lease);
    this.#returned += lease.units;
  }
}
