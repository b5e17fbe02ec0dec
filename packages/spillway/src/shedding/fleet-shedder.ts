import type { Mode } from "../core/index.ts";
import type { Lease } from "../limiter/index.ts";
import type { Priority } from "./priority.ts";
import type { Admission, ByPriority, Shedder, ShedderStats, Work } from "./shedder.ts";
import { admission, type Tally } from "./tally.ts";
import { checkWork } from "./work.ts";

/** What a fleet shedder works with. */
export type FleetSettings = {
  readonly name: string;
  readonly tally: Tally;
  /** Acquires a lease that leaves so many units. */
  readonly acquire: (leave: number) => Lease<Mode> | Promise<Lease<Mode>>;
  readonly capacity: number;
  /** Units that each priority has to leave to those that matter more. */
  readonly leave: ByPriority;
};

/** Bounds what a whole fleet has in flight, and keeps a part for what matters more. */
export class FleetShedder implements Shedder {
  readonly name: string;
  readonly #settings: FleetSettings;
  readonly #tally: Tally;
  #inFlight = 0;

  constructor(settings: FleetSettings) {
    this.name = settings.name;
    this.#settings = settings;
    this.#tally = settings.tally;
  }

  admit(work: Work = {}): Admission | Promise<Admission> {
    checkWork(work);
    const { priority = "normal", exempt } = work;
    if (exempt) return this.#exempt(priority);
    const lease = this.#settings.acquire(this.#settings.leave[priority]);
    if (!(lease instanceof Promise)) return this.#admission(priority, lease);
    return lease.then((taken) => this.#admission(priority, taken));
  }

  stats(): ShedderStats {
    return {
      admitted: this.#tally.admitted,
      shed: this.#tally.shed,
      inFlight: this.#inFlight,
      waiting: 0,
      capacity: this.#settings.capacity,
      share: 1,
    };
  }

  #admission(priority: Priority, lease: Lease<Mode>): Admission {
    const { ok, capacity, remaining, retryAfter, resetAfter, reason, degraded } = lease;
    const numbers = { capacity, remaining, retryAfter };
    if (!ok) {
      const refusal = this.#tally.refuse(priority, numbers, "in flight");
      return { ...refusal, resetAfter, reason: reason === "limited" ? "shed" : reason, degraded };
    }
    this.#inFlight++;
    const admitted = this.#tally.admit(priority, numbers, () => {
      this.#inFlight--;
      lease.release();
    });
    return { ...admitted, resetAfter, degraded };
  }

  #exempt(priority: Priority): Admission {
    const { capacity } = this.#settings;
    const yes = { ok: true, limit: this.name, capacity, remaining: 0, retryAfter: 0 };
    const decision = { ...yes, resetAfter: 0, reason: undefined, degraded: undefined };
    return admission(decision, priority, () => {});
  }
}
