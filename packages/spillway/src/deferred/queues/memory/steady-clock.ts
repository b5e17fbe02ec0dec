import type { Clock, Scheduler } from "../../../limits/core/index.ts";

/**
 * Returns a clock that never steps back.
 *
 * While the given clock is behind an earlier reading, for example after it was set back by an hour,
 * this one advances with elapsed time. So waiting jobs are not delayed by the difference.
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
