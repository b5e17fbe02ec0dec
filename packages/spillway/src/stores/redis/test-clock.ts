import { type Clock, checkedClock, SpillwayError } from "../../limits/core/index.ts";

/**
 * 2⁴⁵ ms, the end of what the scores of leases have room for, less 2⁴⁰, the longest that anything lasts beyond
 * the present. It is in the year 3050: no server's clock gets there.
 */
const END = 2 ** 45 - 2 ** 40;

/**
 * A clock in place of the server's, which may show any instant before the year 3050; it throws later.
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
