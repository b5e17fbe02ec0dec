/** Whether what somebody says of their work can be understood. */
import { nearest, SpillwayError } from "../core/index.ts";
import { PRIORITIES, type Priority } from "./priority.ts";
import type { Work } from "./shedder.ts";

const FIELDS: readonly string[] = [
  "priority",
  "cohort",
  "deadline",
  "exempt",
] satisfies (keyof Work)[];

/** @throws SpillwayError `bad-priority`, `bad-work` */
export function checkWork(work: Work): void {
  if (typeof work !== "object" || work === null) {
    throw bad("work", work, 'an object such as { priority: "normal", cohort: userId }');
  }
  for (const field in work) if (!FIELDS.includes(field)) throw unknown(field);
  const { priority, cohort, deadline, exempt } = work;
  if (priority !== undefined) checkPriority(priority);
  if (cohort !== undefined && typeof cohort !== "string") throw bad("cohort", cohort, "a string");
  if (deadline !== undefined && !(typeof deadline === "number" && deadline >= 0)) {
    throw bad("deadline", deadline, "milliseconds from now, 0 or more");
  }
  if (exempt !== undefined && typeof exempt !== "boolean") {
    throw bad("exempt", exempt, "true or false");
  }
}

/** @throws SpillwayError `bad-priority` */
export function checkPriority(value: unknown): asserts value is Priority {
  if (PRIORITIES.includes(value as Priority)) return;
  const near = typeof value === "string" ? nearest(value, PRIORITIES) : undefined;
  throw new SpillwayError({
    code: "bad-priority",
    field: "priority",
    value,
    expected: `one of ${PRIORITIES.map((one) => `"${one}"`).join(", ")}`,
    hint: near && `Did you mean "${near}"?`,
  });
}

function bad(field: string, value: unknown, expected: string): SpillwayError {
  return new SpillwayError({ code: "bad-work", field, value, expected });
}

function unknown(field: string): SpillwayError {
  const near = nearest(field, FIELDS);
  const expected = `what is said of work is ${FIELDS.join(", ")}`;
  const hint = near && `Did you mean ${near}?`;
  return new SpillwayError({ code: "unknown-field", field, expected, hint });
}
