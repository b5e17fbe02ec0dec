import { nearest, SpillwayError } from "../limits/core/index.ts";

/** How much a piece of work matters. Under overload, the last in this list is refused first. */
export type Priority = "critical" | "normal" | "low" | "background";

/** All priorities, from the one refused last to the one refused first. */
export const PRIORITIES: readonly Priority[] = ["critical", "normal", "low", "background"];

export function isPriority(value: unknown): value is Priority {
  return PRIORITIES.includes(value as Priority);
}

/** Returns the error for a value that is no priority. */
export function badPriority(value: unknown): SpillwayError {
  const near = typeof value === "string" ? nearest(value, PRIORITIES) : undefined;
  return new SpillwayError({
    code: "bad-priority",
    field: "priority",
    value,
    expected: `one of ${PRIORITIES.map((one) => `"${one}"`).join(", ")}`,
    hint: near ? `Did you mean "${near}"?` : "For text from outside: priorityOf(text)",
  });
}

/**
 * Returns the priority named by a text from outside, such as a header, or `otherwise` if it names
 * none. Pure.
 *
 * Case and surrounding space are ignored. Read it only from your own services: every other client
 * would choose `critical`.
 */
export function priorityOf(text: unknown, otherwise: Priority = "normal"): Priority {
  const name = typeof text === "string" ? text.trim().toLowerCase() : "";
  return PRIORITIES.find((priority) => priority === name) ?? otherwise;
}
