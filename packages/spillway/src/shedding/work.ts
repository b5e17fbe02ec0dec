/** What somebody says of their work, as far as it can be understood. */
import {
  isOptions,
  isSignal,
  notOptions,
  PRIORITIES,
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

/** Work of which everything is known; what was not given is what it is by default. */
export type KnownWork = {
  readonly priority: Priority;
  readonly cohort: string | undefined;
  readonly deadline: number;
  readonly exempt: boolean;
  readonly signal: StopSignal | undefined;
};

/**
 * What is said of work; a value that can't be understood counts as not given, and is reported.
 *
 * Values come from requests: a stranger's must not end a process whose handler forgot to catch what
 * is thrown. Names of fields come from the program.
 *
 * @throws SpillwayError `bad-work`, `unknown-field` where it is no object, or has another field
 */
export function knownWork(work: Work, tally: Pick<AdmissionTally, "badWork">): KnownWork {
  if (!isOptions(work, FIELDS)) {
    const problem = notOptions(work, 'what is said of work, such as { priority: "normal" }');
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
    // One that has passed already comes of a subtraction.
    deadline: isKnown("deadline", deadline) ? Math.max(0, deadline as number) : Infinity,
    exempt: isKnown("exempt", exempt) && exempt === true,
    signal: isKnown("signal", signal) ? signal : undefined,
  };
}

/** The priority of work: `"normal"` for what is none. Pure. */
export function knownPriority(value: unknown): Priority {
  return isPriority(value) ? value : "normal";
}

/** What the value of a field has to be, and what is wrong with one that is not. */
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

function isPriority(value: unknown): value is Priority {
  return PRIORITIES.includes(value as Priority);
}

function badPriority(value: unknown): SpillwayError {
  const near = typeof value === "string" ? nearest(value, PRIORITIES) : undefined;
  return new SpillwayError({
    code: "bad-priority",
    field: "priority",
    value,
    expected: `one of ${PRIORITIES.map((one) => `"${one}"`).join(", ")}`,
    hint: near ? `Did you mean "${near}"?` : "For text from outside: priorityOf(text)",
  });
}

function unknown(field: string): SpillwayError {
  const near = nearest(field, FIELDS);
  const expected = `what is said of work is ${FIELDS.join(", ")}`;
  const hint = near && `Did you mean ${near}?`;
  return new SpillwayError({ code: "unknown-field", field, expected, hint });
}
