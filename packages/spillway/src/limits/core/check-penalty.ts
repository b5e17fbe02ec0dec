/** Checks the penalty of a limit. All functions are pure. */
import { milliseconds } from "./durations.ts";
import { type Problem, SpillwayError } from "./errors.ts";
import type { UncheckedLimit } from "./field-checks.ts";
import { isUnits } from "./numbers.ts";
import type { PenaltySettings } from "./penalty.ts";

const MOST_REFUSALS = 1_000_000;
const TIME = '1 ms to 366 days, as a number or text such as "5m"';
const EXAMPLE = '{ after: 10, within: "5m", block: "1m", most: "1h" }';

/**
 * Returns the penalty of a limit, in milliseconds; undefined if it has none.
 *
 * @throws SpillwayError `bad-penalty`; `no-penalties` if the limit can have none
 */
export function penaltyOf(limit: string, fields: UncheckedLimit): PenaltySettings | undefined {
  const { penalty, kind, share, shards = 1 } = fields;
  if (penalty === undefined) return undefined;
  const alone = "nothing beside `penalty`: one place has to see each refusal of a key";
  if (kind === "concurrency") {
    const expected = "a rate: whoever waits for a lease asks again and again";
    throw noPenalties({ limit, field: "kind", value: kind, expected });
  }
  if (share !== undefined) {
    throw noPenalties({ limit, field: "share", value: share, expected: alone });
  }
  if (shards !== 1) throw noPenalties({ limit, field: "shards", value: shards, expected: alone });
  return checked(limit, penalty);
}

/** Returns the error for a penalty that a limit or its store can't have. */
export function noPenalties(problem: Omit<Problem, "code">): SpillwayError {
  return new SpillwayError({ code: "no-penalties", ...problem });
}

function checked(limit: string, penalty: unknown): PenaltySettings {
  const wrong = (name: string, value: unknown, expected: string) => {
    const field = `penalty${name}`;
    const hint = `A penalty is ${EXAMPLE}`;
    return new SpillwayError({ code: "bad-penalty", limit, field, value, expected, hint });
  };
  const { after, within, block, most, ...more } = Object(penalty) as UncheckedLimit;
  const [other] = Object.keys(more);
  if (other !== undefined) throw wrong(`.${other}`, more[other], "no such field");
  if (!isUnits(after) || after < 1 || after > MOST_REFUSALS) {
    throw wrong(".after", after, `a whole number from 1 to ${MOST_REFUSALS}`);
  }
  const time = (name: string, value: unknown): number => {
    const ms = milliseconds(value);
    if (ms === undefined) throw wrong(name, value, TIME);
    return ms;
  };
  const first = time(".block", block);
  const longest = time(".most", most);
  if (longest < first) throw wrong(".most", most, "`block` or more");
  return { after, within: time(".within", within), block: first, most: longest };
}
