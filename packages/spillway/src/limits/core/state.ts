import type { Plan } from "./algorithm.ts";
import type { Leases } from "./leases.ts";
import type { Log } from "./log.ts";

/** The state of a key under a definition of its limit that others ask under as well. */
export type OtherState = {
  /** Says what the key has used; a block is kept in the state that this one is beside. */
  readonly state: State;
  /** The instant until which it is kept: by then nothing is left of what its definition admitted. */
  readonly until: number;
};

/**
 * What is known of one key under one limit: five whole numbers, and a log or leases where the kind
 * keeps them. All zeros is a fresh key.
 *
 * Amounts are in ticks or units (`countsPerUnit` of `Plan`), instants in milliseconds since 1970.
 */
export class State {
  /** What was used and had not come back at `since`. */
  used = 0;
  /** The instant the state was written for, or at which its window began. */
  since = 0;
  /** What the window before used, for kinds that remember it. */
  previous = 0;
  /** What was taken, has not come back, and may still be settled; never above `used`. */
  unsettled = 0;
  /** The instant until which the key is blocked; 0 if it is not. */
  blockedUntil = 0;
  /** The plan the state was written under; undefined where there is no state. */
  plan: Plan | undefined = undefined;
  /** The log of admitted asks, for the kind that keeps one. */
  log: Log | undefined = undefined;
  /** The leases in flight, for limits of those; for rates that are lent, the shares that are out. */
  leases: Leases | undefined = undefined;
  /** The same key under other definitions of its limit, while several are in use. */
  others: readonly OtherState[] | undefined = undefined;

  /** Writes what changes when units are taken or come back. */
  write({ used, since, previous, unsettled }: Counts): void {
    this.used = used;
    this.since = since;
    this.previous = previous;
    this.unsettled = unsettled;
  }

  /** A state of its own that says the same; other definitions are left out. */
  copy(): State {
    const copy = new State();
    copy.write(this);
    copy.blockedUntil = this.blockedUntil;
    copy.plan = this.plan;
    copy.log = this.log?.copy();
    copy.leases = this.leases?.copy();
    return copy;
  }

  /** Says what another state says, whose log and leases it takes; the block stays its own. */
  become(other: State): void {
    this.write(other);
    this.plan = other.plan;
    this.log = other.log;
    this.leases = other.leases;
  }

  /** Becomes no state at all. */
  clear(): void {
    this.become(NONE);
    this.blockedUntil = 0;
    this.others = undefined;
  }

  /** Moves every instant back, for a clock that went back. */
  rewind(ms: number): void {
    this.since -= ms;
    this.blockedUntil = Math.max(0, this.blockedUntil - ms);
    this.log?.rewind(ms);
    this.leases?.rewind(ms);
  }
}

type Counts = Readonly<Pick<State, "used" | "since" | "previous" | "unsettled">>;

const NONE: State = new State();
