/** How much a piece of work matters. Under overload, the last in this list is refused first. */
export type Priority = "critical" | "normal" | "low" | "background";

/** All priorities, from the one refused last to the one refused first. */
export const PRIORITIES: readonly Priority[] = ["critical", "normal", "low", "background"];

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
