import type { Store } from "spillway";
import type { Plan } from "spillway/core";
import { alarm, type Maybe } from "spillway/support";

/** Milliseconds for which a store is waited for: one that hangs must not keep new rules from being used. */
const LONGEST = 250;

/**
 * Has what is held under some plans go back, and nothing be drawn under them any more. At once with a store in this
 * process; else it is waited for, for a time. What doesn't go back is over by itself.
 */
export function giveBack({ lending }: Store, plans: readonly Plan[]): Maybe<void> {
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
