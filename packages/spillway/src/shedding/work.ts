/** Checks the options of a piece of work, and ignores invalid values. */
import {
  badPriority,
  isOptions,
  isPriority,
  isSignal,
  notOptions,
  type Priority,
  type StopSignal,
} from "../internal/index.ts";
import { nearest, SpillwayError } from "../limits/core/index.ts";
import type { AdmissionTally } from "./admission-tally.ts";
import type { Work } from "./shedder.ts";

const FIELDS: readonly string[] = [
  "priority",
  "cohort",
  "deadline",
  "exempt",
  "signal",
] satisfies (keyof Work)[];

/** The options of work, with defaults applied. */
export type KnownWork = {
  readonly priority: Priority;
  readonly cohort: string | undefined;
  readonly deadline: number;
  readonly exempt: boolean;
  readonly signal: StopSignal | undefined;
};

/**
 * Returns the options of work. An invalid value counts as missing, and is reported.
 *
 * Values come from requests, so an invalid one must not throw: that would end a process whose
 * handler does not catch it. Names of fields come from the program, so an unknown one throws.
 *
 * @throws SpillwayError `bad-work` if `work` is not an object, `unknown-field` if it has another
 * field
 */
export function knownWork(work: Work, tally: Pick<AdmissionTally, "badWork">): KnownWork {
  if (!isOptions(work, FIELDS)) {
    const problem = notOptions(work, 'the properties of work, such as { priority: "normal" }');
    throw new SpillwayError({ code: "bad-work", ...problem, field: "work" });
  }
  for (const field in work) if (!FIELDS.includes(field)) throw unknown(field);
  const { priority, cohort, deadline, exempt, signal } = work;
  const isKnown = (field: keyof typeof RULES, value: unknown) => {
    const { isRight, problem } = RULES[field];
    if (value === undefined || isRight(value)) return value !== undefined;
    tally.badWork(field, () => problem(value));
    return false;
  };
  return {
    priority: isKnown("priority", priority) ? (priority as Priority) : "normal",
    cohort: isKnown("cohort", cohort) ? cohort : undefined,
    // A deadline that has already passed can result from a subtraction.
    deadline: isKnown("deadline", deadline) ? Math.max(0, deadline as number) : Infinity,
    exempt: isKnown("exempt", exempt) && exempt === true,
    signal: isKnown("signal", signal) ? signal : undefined,
  };
}

/** Returns the priority of work; `"normal"` if the value is not a priority. Pure. */
export function knownPriority(value: unknown): Priority {
  return isPriority(value) ? value : "normal";
}

/** The check of a field's value, and the error for an invalid value. */
type WorkFieldRule = {
  isRight(value: unknown): boolean;
  problem(value: unknown): SpillwayError;
};

const RULES = {
  priority: { isRight: isPriority, problem: badPriority },
  cohort: ruled("cohort", "a string", (value) => typeof value === "string"),
  deadline: ruled(
    "deadline",
    "milliseconds from now",
    (value) => typeof value === "number" && !Number.isNaN(value),
  ),
  exempt: ruled("exempt", "true or false", (value) => typeof value === "boolean"),
  signal: ruled("signal", "an AbortSignal", isSignal),
} satisfies { readonly [field: string]: WorkFieldRule };

function ruled(
  field: keyof Work,
  expected: string,
  isRight: WorkFieldRule["isRight"],
): WorkFieldRule {
  const code = "bad-work";
  return { isRight, problem: (value) => new SpillwayError({ code, field, value, expected }) };
}

function unknown(field: string): SpillwayError {
  const near = nearest(field, FIELDS);
  const expected = `the properties of work are ${FIELDS.join(", ")}`;
  const hint = near && `Did you mean ${near}?`;
  return new SpillwayError({ code: "unknown-field", field, expected, hint });
}
