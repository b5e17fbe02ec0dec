import { type Awaitable, asAnswer, carriedOut } from "../internal/index.ts";
import type { Answer, CommandOf, Store, StoreWithin, Timing } from "../limits/core/index.ts";

/** Releases or renews a lease. Returns whether it was in flight. */
export type ChangeLease<M extends Timing> = (
  command: CommandOf<"release" | "renew">,
) => Answer<M, boolean>;

/**
 * Changes leases that were taken in a transaction: inside it while it is open, outside once it is
 * over.
 *
 * If it is not known whether the transaction is over, the command goes inside first. If that fails,
 * it goes outside. A lease that was rolled back does not exist there, and one that is still locked
 * is released later.
 */
export function outliving<M extends Timing>(
  inside: StoreWithin<M>,
  outside: Store<M>,
): ChangeLease<M> {
  const { timing } = inside;
  return (command) => {
    const isOver = () => inside.isOver?.(command) ?? asAnswer(timing, false as boolean);
    const there = () => outside.execute(command) as Awaitable<M, boolean>;
    const here = () =>
      carriedOut<M, boolean, Awaitable<M, boolean>>(timing, () => inside.execute(command), {
        done: (isHeld) => isHeld,
        fail: there,
      }) as Awaitable<M, boolean>;
    return carriedOut<M, boolean, Awaitable<M, boolean>>(timing, isOver, {
      done: (isOver) => (isOver ? there() : here()),
      fail: here,
    }) as Answer<M, boolean>;
  };
}
