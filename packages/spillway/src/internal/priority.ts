/** How much it matters that a piece of work is done; the last in the list goes first. */
export type Priority = "critical" | "normal" | "low" | "background";

/** From what is kept longest to what goes first. */
export const PRIORITIES: readonly Priority[] = ["critical", "normal", "low", "background"];

/**
 * The priority that a text from outside names, such as a header's; another where it names none.
 * Pure.
 *
 * Upper case and space around it don't matter. Let nobody but your own services name theirs:
 * whoever may, names `critical`.
 */
export function priorityOf(text: unknown, otherwise: Priority = "normal"): Priority {
  const name = typeof text === "string" ? text.trim().toLowerCase() : "";
  return PRIORITIES.find((priority) => priority === name) ?? otherwise;
}
