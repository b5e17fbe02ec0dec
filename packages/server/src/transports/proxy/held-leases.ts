/** The leases of all requests in flight. */
import type { RenewedLease } from "../../service/index.ts";
import type { ArrivedRequest } from "./arrival.ts";
import { atEnd } from "./ends.ts";

export class HeldLeases {
  readonly #held = new Set<RenewedLease>();
  readonly #releases = new Set<Promise<void>>();

  /** Holds a lease until its request is over. */
  add(lease: RenewedLease, arrival: ArrivedRequest): void {
    this.#held.add(lease);
    atEnd(arrival, () => this.#release(lease));
  }

  /** Releases all, and waits until the store has answered. */
  async close(): Promise<void> {
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
