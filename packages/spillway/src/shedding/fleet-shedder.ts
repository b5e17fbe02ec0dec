import type { Priority } from "../internal/index.ts";
import { after } from "../internal/index.ts";
import type { Lease } from "../limiter/index.ts";
import { type Answer, type Mode, type Random, type Reason, SECOND } from "../limits/core/index.ts";
import type { AdmissionTally, ShedRefusal } from "./admission-tally.ts";
import type { Admission, ByPriority, Shedder, ShedderStats, Work } from "./shedder.ts";
import { knownWork } from "./work.ts";

/** The least time after which to come back, in milliseconds; the most is twice that. */
const SOON = SECOND;

/** What a fleet shedder works with. */
export type FleetSettings<M extends Mode> = {
  readonly name: string;
  readonly tally: AdmissionTally;
  /** When the store answers. */
  readonly mode: M;
  /** Acquires a lease that leaves so many units. */
  readonly acquire: (headroom: number) => Answer<M, Lease<M>>;
  readonly capacity: number;
  readonly random: Random;
  /** Units that each priority has to leave to those that matter more. */
  readonly headroom: ByPriority;
};

/** Bounds what a whole fleet has in flight, and keeps a part for what matters more. */
export class FleetShedder<M extends Mode> implements Shedder<Admission | Answer<M, Admission>> {
  readonly name: string;
  readonly #settings: FleetSettings<M>;
  #inFlight = 0;

  constructor(settings: FleetSettings<M>) {
    this.name = settings.name;
    this.#settings = settings;
  }

  admit(work: Work = {}): Admission | Answer<M, Admission> {
    const { tally, capacity, mode, acquire, headroom } = this.#settings;
    const { priority, exempt } = knownWork(work, tally);
    if (exempt) return tally.exempt(priority, capacity);
    return after(mode, acquire(headroom[priority]), (lease: Lease<M>) =>
      lease.ok ? this.#start(priority, lease) : this.#refuse(priority, lease),
    );
  }

  /** Something ends long before its lease would: soon is a better advice, and not all at once. */
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

/** Whose fault it is: a limit that has no more room is the system's. */
function refusalOf({ reason }: { readonly reason: Reason | undefined }): ShedRefusal {
  if (reason === "unavailable" || reason === "blocked") return { cause: reason, reason };
  return { cause: "in flight" };
}
