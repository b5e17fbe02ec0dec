/** Leases of the store whose units a process hands out, and those that go back. Pure arithmetic. */
import { type ClockReading, hasCome, surelyUntil } from "../readings.ts";

/** A lease of the store. */
export type StoreLease = {
  readonly id: number;
  readonly units: number;
  /** Units of the lease that are not held. */
  free: number;
  /** When its units stop being handed out. */
  readonly ends: ClockReading;
  /** Whether its released units may be handed out again. */
  isKept: boolean;
  /** Whether the store has forgotten it. */
  isLost: boolean;
  /** Calls of `dropIdle` since its units were last handed out. */
  idleFor: number;
};

/** Units of a lease of the store. */
export type LeaseUnits = { readonly lease: StoreLease; readonly units: number };

/** A lease that the store has granted. */
export type GrantedLease = {
  readonly id: number;
  readonly units: number;
  /** When the request was sent. The store counts from a later instant. */
  readonly sent: ClockReading;
  readonly isKept: boolean;
};

/** A lease is given back after this many checks without a call. */
const IDLE_CALLS = 2;

/** The store's leases of one key. */
export class LeaseStock {
  /** Units that the store had left at its last answer. */
  #left = 0;
  /** Units returned to it since. */
  #returned = 0;
  readonly #share: number;
  /** Units that are not held, and may be handed out. */
  #idle = 0;
  readonly #leases = new Set<StoreLease>();
  /** Leases with free units. The last ones are handed out first, so that others become idle. */
  #free: StoreLease[] = [];
  /** Leases of which no unit is held any more, to be given back. */
  #due: StoreLease[] = [];

  /** @param share How long units of a lease are handed out, in milliseconds. */
  constructor(share: number) {
    this.#share = share;
  }

  get idle(): number {
    return this.#idle;
  }

  /** Units left in the store, as far as is known here. */
  get leftThere(): number {
    return this.#left + this.#returned;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  /** Adds a lease that the store has granted. All its units count as taken out. */
  add({ id, units, sent, isKept }: GrantedLease): LeaseUnits {
    const ends = surelyUntil(sent, this.#share);
    const lease = { id, units, free: 0, ends, isKept, isLost: false, idleFor: 0 };
    this.#leases.add(lease);
    return { lease, units };
  }

  /** Records how many units the store has left. */
  heard(left: number): void {
    this.#left = left;
    this.#returned = 0;
  }

  /** Takes out up to `most` units, to be handed out or put back. */
  take(most: number, now: ClockReading): readonly LeaseUnits[] {
    const parts: LeaseUnits[] = [];
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

  /** Puts back units that were taken out or released. They stay here, or go back to the store. */
  putBack(parts: readonly LeaseUnits[], now: ClockReading): void {
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

  /** Records that the store has forgotten a lease. */
  lost(lease: StoreLease): void {
    lease.isLost = true;
    this.#retire(lease);
    this.#leases.delete(lease);
  }

  /** Stops handing out units granted so far. */
  giveUp(): void {
    for (const lease of this.#leases) this.#retire(lease);
    this.#free = [];
  }

  /** Gives up leases without a call for several checks. */
  dropIdle(): void {
    for (const lease of this.#free)
      if (lease.free === lease.units && ++lease.idleFor > IDLE_CALLS) this.#retire(lease);
  }

  /** Gives up leases whose units may no longer be handed out. */
  dropEnded(now: ClockReading): void {
    for (const lease of this.#free) if (hasCome(lease.ends, now)) this.#retire(lease);
    this.#free = this.#free.filter(({ isKept }) => isKept);
  }

  /** Returns the leases to give back, each once. */
  takeDue(): readonly StoreLease[] {
    const due = this.#due;
    if (due.length > 0) this.#due = [];
    return due;
  }

  #takeOff(lease: StoreLease, units: number): LeaseUnits {
    lease.free -= units;
    lease.idleFor = 0;
    this.#idle -= units;
    return { lease, units };
  }

  /** Stops handing out units of a lease. */
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
