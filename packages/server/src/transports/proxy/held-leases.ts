/** The leases of all requests in flight. */
import { afterDelay, type MaybePromise } from "spillway/support";
import type { RenewedLease } from "../../service/index.ts";
import type { ArrivedRequest } from "./arrival.ts";
import { atEnd } from "./ends.ts";

/** How long a stop waits for a store, in milliseconds. Leases that are not released expire. */
const LONGEST_CLOSE = 5000;

export class HeldLeases {
  readonly #admissions = new Set<Promise<void>>();
  readonly #held = new Set<RenewedLease>();
  readonly #releases = new Set<Promise<void>>();

  /** Holds a lease until its request is over. */
  add(lease: RenewedLease, arrival: ArrivedRequest): void {
    this.#held.add(lease);
    atEnd(arrival, () => this.#release(lease));
  }

  /** An admission under way may still add a lease, after its client has gone. */
  expect(admission: MaybePromise<void>): void {
    if (!(admission instanceof Promise)) return;
    const forget = () => void this.#admissions.delete(settled);
    const settled = admission.then(forget, forget);
    this.#admissions.add(settled);
  }

  /**
   * Releases all, once those under way are there. Waits until the store has answered, but not for
   * one that is away: a release is tried again for as long as its lease lasts.
   */
  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = afterDelay(LONGEST_CLOSE, resolve);
    await Promise.race([this.#releaseAll(), late]);
    cancel();
  }

  async #releaseAll(): Promise<void> {
    await Promise.all(this.#admissions);
    // The end of a request may be reported after that of its connection.
    for (const lease of this.#held) this.#release(lease);
    await Promise.all(this.#releases);
  }

  #release(lease: RenewedLease): void {
    this.#held.delete(lease);
    const released = lease.end();
    this.#releases.add(released);
    released.finally(() => this.#releases.delete(released));
  }
}
