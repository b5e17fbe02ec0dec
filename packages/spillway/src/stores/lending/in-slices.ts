import type { Scheduler } from "../../limits/core/index.ts";

/** Store calls in one turn of the event loop: where a store answers at once, each is a transaction. */
export const MOST_IN_TURN = 100;

/** Something to do for each of many, so many of them in one turn of the event loop. */
export type Slicing<T> = {
  readonly most: number;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  readonly each: (one: T) => unknown;
};

/** Does something for so many of a list at a time, each time when those before are done. */
export async function inTurns<T>(
  all: readonly T[],
  { most, each }: Omit<Slicing<T>, "scheduler">,
): Promise<undefined> {
  for (let at = 0; at < all.length; at += most)
    await Promise.all(all.slice(at, at + most).map(each));
}

/** Begins at once, and leaves turns for other work in between. */
export function inSlices<T>(all: readonly T[], slicing: Slicing<T>, from = 0): void {
  const { most, scheduler, each } = slicing;
  const end = Math.min(all.length, from + most);
  for (let at = from; at < end; at++) each(all[at] as T);
  if (end < all.length) scheduler.afterDelay(0, () => inSlices(all, slicing, end));
}
