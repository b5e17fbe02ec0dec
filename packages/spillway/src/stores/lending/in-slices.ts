import type { Scheduler } from "../../limits/core/index.ts";

/**
 * The maximum number of store calls in one turn of the event loop. In a store that answers at once,
 * each is a transaction.
 */
export const MOST_IN_TURN = 100;

/** Work to do for each of many items, a limited number of them in one turn of the event loop. */
export type SliceOptions<T> = {
  readonly most: number;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  readonly each: (one: T) => unknown;
};

/** Processes a list in batches, each after the previous one is done. */
export async function inTurns<T>(
  all: readonly T[],
  { most, each }: Omit<SliceOptions<T>, "scheduler">,
): Promise<undefined> {
  for (let at = 0; at < all.length; at += most)
    await Promise.all(all.slice(at, at + most).map(each));
}

/** Starts at once, and lets other work run between slices. */
export function inSlices<T>(all: readonly T[], slicing: SliceOptions<T>, from = 0): void {
  const { most, scheduler, each } = slicing;
  const end = Math.min(all.length, from + most);
  for (let at = from; at < end; at++) each(all[at] as T);
  if (end < all.length) scheduler.afterDelay(0, () => inSlices(all, slicing, end));
}
