import type { CallTimer, Scheduled } from "../internal/index.ts";

/** The members of a lease that renewals use. */
export type RenewableLease = {
  readonly ttl: number;
  readonly expiresAfter: number;
  readonly isOver: boolean;
  renew(): boolean | Promise<boolean>;
};

/**
 * A lease is renewed after each quarter of its `ttl`, so that two renewals may fail before it is
 * lost.
 */
const PARTS = 4;

/** Renews the leases of a limiter while work runs under them. */
export class Renewals {
  readonly #timer: CallTimer;

  constructor(timer: CallTimer) {
    this.#timer = timer;
  }

  /**
   * Renews a lease repeatedly, until it is stopped or the lease is lost.
   *
   * @param lost Called once it is not certain that the lease is held.
   * @returns A function that stops the renewals.
   */
  keep(lease: RenewableLease, lost: () => void): () => void {
    // A lease with an infinite `ttl` holds nothing, so nothing can be lost.
    if (!Number.isFinite(lease.ttl)) return () => {};
    const renewal = new Renewal(lease, lost, this.#timer);
    return () => renewal.stop();
  }
}

/** Renews one lease, and watches that the answer comes in time. */
class Renewal {
  readonly #lease: RenewableLease;
  readonly #lost: () => void;
  readonly #timer: CallTimer;
  readonly #ttl: number;
  #isAsking = false;
  #isStopped = false;
  #next: Scheduled | undefined;

  constructor(lease: RenewableLease, lost: () => void, timer: CallTimer) {
    this.#lease = lease;
    this.#lost = lost;
    this.#timer = timer;
    this.#ttl = lease.ttl;
    // The first renewal counts from when the request for the lease was sent.
    this.#comeBack(Math.max(0, this.#ttl / PARTS - (this.#ttl - lease.expiresAfter)));
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff();
  }

  /**
   * Schedules the next step in `ms` milliseconds, or when the lease expires, if that is earlier.
   */
  #comeBack(ms: number): void {
    this.#next = this.#timer.after(Math.min(ms, this.#lease.expiresAfter), this.#due);
  }

  #callOff(): void {
    if (this.#next !== undefined) this.#timer.cancel(this.#next);
  }

  readonly #due = (): void => {
    if (this.#lease.isOver) this.#giveUp();
    else if (this.#isAsking) this.#comeBack(this.#ttl);
    else this.#renew();
  };

  #renew(): void {
    const answer = this.#ask();
    if (!(answer instanceof Promise)) {
      this.#answered(answer);
      return;
    }
    this.#isAsking = true;
    // A store may answer too late, so the expiry is watched meanwhile.
    this.#comeBack(this.#ttl);
    const answered = (isHeld?: boolean) => {
      this.#isAsking = false;
      this.#callOff();
      this.#answered(isHeld);
    };
    answer.then(answered, () => answered());
  }

  /** Returns undefined if the store gave no answer. */
  #ask(): boolean | undefined | Promise<boolean> {
    try {
      return this.#lease.renew();
    } catch {
      return undefined;
    }
  }

  #answered(isHeld: boolean | undefined): void {
    if (this.#isStopped) return;
    const isLost = isHeld === undefined ? this.#lease.expiresAfter === 0 : !isHeld;
    if (isLost) this.#giveUp();
    else this.#comeBack(this.#ttl / PARTS);
  }

  #giveUp(): void {
    this.stop();
    this.#lost();
  }
}
