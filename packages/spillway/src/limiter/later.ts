/**
 * Loads the code that only asynchronous calls need, when the first of them is made: the queues of
 * calls that wait, and the renewal of leases. A bundler that splits code puts it in a file of its
 * own.
 */
import { afterDelay, SpillwayError } from "../limits/core/index.ts";
import type { RenewableLease } from "./renewals.ts";
import type { LaterParts } from "./waiting/later-parts.ts";

/** The loaded module, for all limiters of the process; undefined before. */
let code: { readonly LaterParts: new () => LaterParts } | undefined;

/**
 * Loads the module. If that fails, the next call tries again.
 *
 * Each call has a promise of its own, because some runtimes end the promises of a request with it.
 *
 * @throws As a rejection: SpillwayError `not-loaded`
 */
async function load(): Promise<void> {
  try {
    code = await import("./waiting/later-parts.ts");
  } catch (cause) {
    throw new SpillwayError({
      code: "not-loaded",
      expected: "the code for calls that wait could not be loaded",
      hint: "The next such call tries again. Is every file of the program's bundle there?",
      cause,
    });
  }
}

/** The parts of one limiter that are created once their code is loaded. */
export class Later {
  #parts: LaterParts | undefined;

  /** The parts; undefined until the code is loaded. */
  get parts(): LaterParts | undefined {
    if (code === undefined) return undefined;
    this.#parts ??= new code.LaterParts();
    return this.#parts;
  }

  /** Loads the code. @throws As a rejection: SpillwayError `not-loaded` */
  load(): Promise<void> {
    return load();
  }

  /**
   * Renews a lease repeatedly, until the returned function is called or the lease is lost.
   *
   * While the code is being loaded the lease is not renewed, and is lost when it expires.
   *
   * @param lost Called once it is not certain that the lease is held.
   */
  keep(lease: RenewableLease, lost: () => void): () => void {
    const { parts } = this;
    if (parts !== undefined) return parts.renewals.keep(lease, lost);
    // A lease that holds nothing can't be lost.
    if (!Number.isFinite(lease.ttl)) return () => {};
    return this.#keepOnceLoaded(lease, lost);
  }

  #keepOnceLoaded(lease: RenewableLease, lost: () => void): () => void {
    let isOver = false;
    const callOff = afterDelay(lease.expiresAfter, () => {
      isOver = true;
      lost();
    });
    let stop = () => {
      isOver = true;
      callOff();
    };
    const renew = () => {
      if (isOver) return;
      callOff();
      stop = this.parts?.renewals.keep(lease, lost) ?? stop;
    };
    this.load().then(renew, () => {});
    return () => stop();
  }
}
