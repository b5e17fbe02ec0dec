/** The lease of a request in flight: renewed until its end, then released. */
import { afterDelay, elapsed } from "spillway/support";
import type { HeldLease, LimitRequest } from "../contracts.ts";
import { RequestError } from "../request-error.ts";
import type { Service } from "../service.ts";

type LeaseParts = {
  readonly service: Service;
  /** The request that was admitted. */
  readonly asked: LimitRequest;
  readonly held: HeldLease;
};

/** How long to wait after a release that failed, in milliseconds; doubled each time. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5000;

/** The wait before the next try, and how long the lease was held, in milliseconds. */
type Release = { readonly wait: number; readonly heldFor: number };

/** A lease that lasts as long as its request. */
export class RenewedLease {
  readonly #parts: LeaseParts;
  readonly #begun = elapsed();
  #expires: number;
  #cancel = () => {};
  #end: Promise<void> | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#expires = this.#begun + parts.held.ttl;
    this.#renewLater();
  }

  /**
   * Releases the lease. If the store gives no answer, tries again until the lease has expired by
   * itself. Later calls return the same promise. It never rejects.
   */
  end(): Promise<void> {
    this.#cancel();
    this.#end ??= this.#release({ wait: FIRST_WAIT, heldFor: elapsed() - this.#begun });
    return this.#end;
  }

  #renewLater(): void {
    this.#cancel = afterDelay(this.#parts.held.ttl / 2, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { service, asked, held } = this.#parts;
    const begun = elapsed();
    try {
      const { ttl } = await service.renew({ ...asked, lease: held.name });
      if (ttl !== undefined) this.#expires = begun + ttl;
    } catch {
      // The store's own log reports it. The next renewal may come in time.
    }
    if (this.#end === undefined) this.#renewLater();
  }

  async #release({ wait, heldFor }: Release): Promise<void> {
    const { service, asked, held } = this.#parts;
    try {
      await service.release({ ...asked, lease: held.name, heldFor });
    } catch (error) {
      // The rules have changed, and know this limit no longer.
      if (error instanceof RequestError || elapsed() + wait >= this.#expires) return;
      await new Promise<void>((resolve) => afterDelay(wait, resolve));
      await this.#release({ wait: Math.min(2 * wait, LONGEST_WAIT), heldFor });
    }
  }
}
