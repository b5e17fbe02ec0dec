import { type LostSignal, stopper } from "../internal/index.ts";
import { SpillwayError } from "../limits/core/index.ts";
import type { Lease } from "./lease.ts";

/**
 * Does work while a lease is held: renews it until the work is over, and then releases it.
 *
 * @param work Given a signal that is aborted once the lease is lost, with a `lease-lost` error.
 */
export async function whileHeld<T>(
  lease: Lease,
  work: (lost: LostSignal) => T | Promise<T>,
): Promise<T> {
  const lost = stopper();
  const stop = lease.keep(() => lost.stop(leaseLost(lease)));
  try {
    return await work(lost.signal);
  } finally {
    stop();
    await lease.release();
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
