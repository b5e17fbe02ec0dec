import { afterDelay, elapsed, SpillwayError } from "../core/index.ts";
import type { Lease } from "./lease.ts";
import type { StopSignal } from "./options.ts";

/** The runtime's own `AbortSignal`, where the program's types know it. */
export type LostSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : StopSignal;

declare class AbortController {
  readonly signal: StopSignal;
  abort(reason: unknown): void;
}

/** In how many parts of its time a lease is renewed: two may fail before it is lost. */
const PARTS = 4;

/**
 * Does work while a lease is held: renews it until the work is over, and then releases it.
 *
 * @param work Given a signal that is aborted once the lease is lost, with a `lease-lost` error.
 */
export async function whileHeld<T>(
  lease: Lease,
  work: (lost: LostSignal) => T | Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const renewal = new Renewal(lease, () => lost.abort(leaseLost(lease)));
  try {
    return await work(lost.signal as LostSignal);
  } finally {
    renewal.stop();
    await lease.release();
  }
}

/** Renews a lease again and again, and watches that an answer comes in time. */
class Renewal {
  readonly #lease: Lease;
  readonly #lost: () => void;
  readonly #ttl: number;
  /** Until when it is surely held: counted from before the store was asked. */
  #until: number;
  #stopped = false;
  /** What calls off the timers: work that is over must not be kept by them. */
  readonly #callOff = { renew: () => {}, watch: () => {} };

  constructor(lease: Lease, lost: () => void) {
    this.#lease = lease;
    this.#lost = lost;
    this.#ttl = lease.ttl;
    const left = lease.expiresAfter;
    this.#until = elapsed() + left;
    // Where nothing is held there is nothing to lose.
    if (!Number.isFinite(this.#ttl)) return;
    // Of what has passed since the store was asked, nothing is left.
    this.#renewLater(Math.max(0, this.#ttl / PARTS - (this.#ttl - left)));
    this.#watch();
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff.renew();
    this.#callOff.watch();
  }

  #renewLater(delay = this.#ttl / PARTS): void {
    this.#callOff.renew = afterDelay(delay, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const asked = elapsed();
    const held = await this.#ask();
    if (this.#stopped) return;
    if (held === false) return this.#giveUp();
    if (held) this.#until = asked + this.#ttl;
    this.#renewLater();
  }

  /** Undefined where the store gave no answer. */
  async #ask(): Promise<boolean | undefined> {
    try {
      return await this.#lease.renew();
    } catch {
      return undefined;
    }
  }

  /** A store may let one wait for an answer until it is too late. */
  #watch(): void {
    this.#callOff.watch = afterDelay(this.#until - elapsed(), () => {
      if (elapsed() < this.#until) this.#watch();
      else this.#giveUp();
    });
  }

  #giveUp(): void {
    this.stop();
    this.#lost();
  }
}

function leaseLost({ limit, ttl }: Lease): SpillwayError {
  return new SpillwayError({
    code: "lease-lost",
    limit,
    expected: `the lease is lost: the store has forgotten it, or not answered for ${ttl} ms`,
    hint: "Somebody else may have its place",
  });
}

/** What comes first may be left out; it must not come last, where it would mean nothing. */
export function workOf<O extends object, W>(
  first: O | W,
  second: W | undefined,
): readonly [O, W | undefined] {
  if (typeof first !== "function") return [first as O, second];
  if (second === undefined) return [{} as O, first];
  throw new SpillwayError({
    code: "bad-option",
    field: "options",
    value: first,
    expected: "the options before the work: run(limit, { key }, work)",
  });
}
