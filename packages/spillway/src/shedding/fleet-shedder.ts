import type { Priority } from "../internal/index.ts";
import { after } from "../internal/index.ts";
import type { Lease } from "../limiter/index.ts";
import {
  type Answer,
  type Random,
  type Reason,
  SECOND,
  type Timing,
} from "../limits/core/index.ts";
import type { AdmissionTally, ShedRefusal } from "./admission-tally.ts";
import type { Admission, ByPriority, Shedder, ShedderStats, Work } from "./shedder.ts";
import { knownWork } from "./work.ts";

/**
 * The shortest advised wait, in milliseconds; the longest is twice that. It is less if a lease
 * expires earlier.
 */
const SOON = SECOND;

/** The settings of a fleet shedder. */
export type FleetSettings<M extends Timing> = {
  readonly name: string;
  readonly tally: AdmissionTally;
  /** Whether the store answers at once or with a promise. */
  readonly timing: M;
  /** Acquires a lease that leaves `headroom` units free. */
  readonly acquire: (headroom: number) => Answer<M, Lease<M>>;
  readonly capacity: number;
  readonly random: Random;
  /** The units that each priority must leave to more important ones. */
  readonly headroom: ByPriority;
};

/** Bounds the work in flight of a whole fleet, and keeps a part for more important work. */
export class FleetShedder<M extends Timing> implements Shedder<Admission | Answer<M, Admission>> {
  readonly name: string;
  readonly #settings: FleetSettings<M>;
  #inFlight = 0;

  constructor(settings: FleetSettings<M>) {
    this.name = settings.name;
    this.#settings = settings;
  }

  admit(work: Work = {}): Admission | Answer<M, Admission> {
    const { tally, capacity, timing, acquire, headroom } = this.#settings;
    const { priority, exempt } = knownWork(work, tally);
    if (exempt) return tally.exempt(priority, capacity);
    return after(timing, acquire(headroom[priority]), (lease: Lease<M>) =>
      lease.ok ? this.#start(priority, lease) : this.#refuse(priority, lease),
    );
  }

  /** Advises a short wait, at random: other work ends long before its lease expires. */
  #refuse(priority: Priority, lease: Lease<M>): Admission {
    const { tally, random } = this.#settings;
    const retryAfter = Math.min(lease.retryAfter, Math.ceil(SOON * (1 + random())));
    const { capacity, remaining, resetAfter, degraded } = lease;
    const numbers = { capacity, remaining, retryAfter, resetAfter, degraded };
    return tally.refuse(priority, numbers, refusalOf(lease));
  }

  stats(): ShedderStats {
    const { tally, capacity } = this.#settings;
    const { admitted, shed } = tally;
    return { admitted, shed, inFlight: this.#inFlight, held: 0, waiting: 0, capacity, share: 1 };
  }

  #start(priority: Priority, lease: Lease<M>): Admission {
    this.#inFlight++;
    return this.#settings.tally.admit(priority, lease, () => {
      this.#inFlight--;
      lease.release();
    });
  }
}

/** Returns why work is refused. A full limit is the system's state, so its reason is `shed`. */
function refusalOf({ reason }: { readonly reason: Reason | undefined }): ShedRefusal {
  if (reason === "unavailable" || reason === "blocked") return { cause: reason, reason };
  return { cause: "in flight" };
}
