import { type Clock, checkedClock, SpillwayError } from "../../limits/core/index.ts";

/**
 * The instant at which test clocks must end, in the year 3050.
 *
 * 2⁴⁵ ms is the end of the range of the scores of leases. 2⁴⁰ ms is the longest time that anything
 * lasts. No server's clock will show such an instant.
 */
const END = 2 ** 45 - 2 ** 40;

/**
 * Returns a clock that replaces the server's. It throws if it returns an instant in the year 3050
 * or later.
 *
 * @throws SpillwayError `bad-clock`
 */
export function testClock(clock: Clock): Clock {
  const checked = checkedClock(clock);
  const read = () => {
    const now = checked();
    if (now >= END) throw beyond(now);
    return now;
  };
  read();
  return read;
}

function beyond(now: number): SpillwayError {
  const expected = "an instant before the year 3050";
  return new SpillwayError({ code: "bad-clock", field: "clock", value: now, expected });
}
