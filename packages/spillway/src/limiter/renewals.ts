import type { CallTimer, Scheduled } from "../internal/index.ts";

/** What is renewed: a lease. */
type Renewable = {
  readonly ttl: number;
  readonly expiresAfter: number;
  readonly isOver: boolean;
  renew(): boolean | Promise<boolean>;
};

/** In how many parts of its time a lease is renewed: two may fail before it is lost. */
const PARTS = 4;

/** Renews the leases of a limiter while work is done under them. */
export class Renewals {
  readonly #timer: CallTimer;

  constructor(timer: CallTimer) {
    this.#timer = timer;
  }

  /**
   * Renews a lease again and again, until it is stopped or the lease is lost.
   *
   * @param lost Called once it is not surely held any more.
   * @returns Stops it.
   */
  keep(lease: Renewable, lost: () => void): () => void {
    // Where nothing is held there is nothing to lose.
    if (!Number.isFinite(lease.ttl)) return () => {};
    const renewal = new Renewal(lease, lost, this.#timer);
    return () => renewal.stop();
  }
}

/** Renews one lease, and watches that an answer comes in time. */
class Renewal {
  readonly #lease: Renewable;
  readonly #lost: () => void;
  readonly #timer: CallTimer;
  readonly #ttl: number;
  #isAsking = false;
  #isStopped = false;
  #next: Scheduled | undefined;

  constructor(lease: Renewable, lost: () => void, timer: CallTimer) {
    this.#lease = lease;
    this.#lost = lost;
    this.#timer = timer;
    this.#ttl = lease.ttl;
    // Of what has passed since the store was asked, nothing is left.
    this.#comeBack(Math.max(0, this.#ttl / PARTS - (this.#ttl - lease.expiresAfter)));
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff();
  }

  /** After so many milliseconds, but not later than when the lease is over. */
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
    // A store may let one wait for an answer until it is too late.
    this.#comeBack(this.#ttl);
    const answered = (isHeld?: boolean) => {
      this.#isAsking = false;
      this.#callOff();
      this.#answered(isHeld);
    };
    answer.then(answered, () => answered());
  }

  /** Undefined where the store gave no answer. */
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
