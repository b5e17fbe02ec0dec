import { type LostSignal, stopper } from "../internal/index.ts";
import { SpillwayError } from "../limits/core/index.ts";
import type { Lease } from "./lease.ts";

/**
 * Runs work while a lease is held: renews it until the work is over, then releases it.
 *
 * @param work Receives a signal that is aborted with a `lease-lost` error once the lease is lost.
 */
export async function whileHeld<T>(
  lease: Lease,
  work: (lost: LostSignal) => T | Promise<T>,
): Promise<T> {
  const lost = stopper();
  // Under a limit that is not enforced, work goes on without its lease.
  const stop = lease.keep(() => {
    if (lease.mode === undefined) lost.stop(leaseLost(lease));
  });
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
    expected: `the lease is lost: it expired, or the store did not answer for ${ttl} ms`,
    hint: "Another caller may hold its units",
  });
}

/**
 * Separates options and work. The options may be missing. If they come after the work, where they
 * would be ignored, it throws.
 */
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
