/** Checks the penalty of a limit. All functions are pure. */
import { milliseconds } from "./durations.ts";
import { type Problem, SpillwayError } from "./errors.ts";
import type { UncheckedLimit } from "./field-checks.ts";
import type { PenaltySettings } from "./penalty.ts";
import { nearest } from "./suggest.ts";

const MOST_REFUSALS = 1_000_000;
const FIELDS = ["after", "within", "block", "most"];
const EXAMPLE = 'A penalty is { after: 10, within: "5m", block: "1m", most: "1h" }';

/**
 * Returns the penalty of a limit, in milliseconds; undefined if it has none.
 *
 * @throws SpillwayError `bad-penalty`, `unknown-field`; `no-penalties` if the limit can have none
 */
export function penaltyOf(limit: string, fields: UncheckedLimit): PenaltySettings | undefined {
  const { penalty } = fields;
  if (penalty === undefined) return undefined;
  checkHasPenalties(limit, fields);
  if (typeof penalty !== "object" || penalty === null || Array.isArray(penalty)) {
    throw badPenalty({ limit, field: "penalty", value: penalty, expected: "its four numbers" });
  }
  checkNames(limit, penalty);
  const { after, within, block, most } = penalty as UncheckedLimit;
  if (!isRefusals(after)) {
    const expected = `a whole number of refusals from 1 to ${MOST_REFUSALS}`;
    throw badPenalty({ limit, field: "penalty.after", value: after, expected });
  }
  const time = (field: string, value: unknown, least = 1): number => {
    const ms = milliseconds(value);
    if (ms !== undefined && ms >= least) return ms;
    const from = least === 1 ? "1 ms" : `\`block\`, which is ${least} ms,`;
    const expected = `${from} to 366 days, as a number or text such as "5m"`;
    throw badPenalty({ limit, field: `penalty.${field}`, value, expected });
  };
  const first = time("block", block);
  return { after, within: time("within", within), block: first, most: time("most", most, first) };
}

function isRefusals(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_REFUSALS;
}

/** @throws SpillwayError `no-penalties` */
function checkHasPenalties(limit: string, { kind, share, shards }: UncheckedLimit): void {
  const refuse = (problem: Pick<Problem, "field" | "value" | "expected" | "hint">) => {
    throw new SpillwayError({ code: "no-penalties", limit, ...problem });
  };
  if (kind === "concurrency") {
    const expected = "a rate beside `penalty`: whoever waits for a lease asks again and again";
    refuse({ field: "kind", value: kind, expected });
  }
  const hint = "Leave it out: the store has to see each refusal of a key in one place";
  const expected = "nothing beside `penalty`";
  if (share !== undefined) refuse({ field: "share", value: share, expected, hint });
  if (shards !== undefined && shards !== 1) {
    refuse({ field: "shards", value: shards, expected, hint });
  }
}

/** @throws SpillwayError `unknown-field` */
function checkNames(limit: string, penalty: object): void {
  for (const [field, value] of Object.entries(penalty)) {
    if (FIELDS.includes(field)) continue;
    const near = nearest(field, FIELDS);
    throw new SpillwayError({
      code: "unknown-field",
      limit,
      field: `penalty.${field}`,
      value,
      expected: `a penalty has ${FIELDS.join(", ")}`,
      hint: near && `Did you mean ${near}?`,
    });
  }
}

function badPenalty(
  problem: Pick<Problem, "limit" | "field" | "value" | "expected">,
): SpillwayError {
  return new SpillwayError({ code: "bad-penalty", hint: EXAMPLE, ...problem });
}
