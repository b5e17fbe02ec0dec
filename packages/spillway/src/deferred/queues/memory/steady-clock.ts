import type { Clock, Scheduler } from "../../../limits/core/index.ts";

/**
 * A clock that never goes back: while another one is behind what it has shown, as after it was set back by an hour,
 * it goes on from there by the time that passes. Work that waits is not held up by the difference.
 */
export function steadyClock(clock: Clock, { elapsed }: Pick<Scheduler, "elapsed">): Clock {
  let [shown, since] = [clock(), elapsed()];
  return () => {
    const [now, passed] = [clock(), elapsed()];
    const steady = shown + (passed - since);
    if (now < steady) return Math.floor(steady);
    [shown, since] = [now, passed];
    return now;
  };
}
