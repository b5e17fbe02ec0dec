import type { Store } from "spillway";
import type { Plan } from "spillway/core";
import { alarm, type MaybePromise } from "spillway/support";

/**
 * The longest wait for a store, in milliseconds: a store that hangs must not keep new rules out of
 * use.
 */
const LONGEST = 250;

/**
 * Gives back the units held under some plans, and draws no more under them. Immediate with a store
 * in this process; otherwise it waits for a bounded time. Units that can't be given back expire.
 */
export function giveBack({ lending }: Store, plans: readonly Plan[]): MaybePromise<void> {
  const given = plans.length === 0 ? undefined : lending?.retire?.(plans);
  if (!(given instanceof Promise)) return;
  return new Promise((resolve) => {
    const cancel = alarm(LONGEST, resolve);
    const done = () => {
      cancel();
      resolve();
    };
    given.then(done, done);
  });
}
