/** How much it matters that a piece of work is done; the last in the list goes first. */
export type Priority = "critical" | "normal" | "low" | "background";

/** From what is kept longest to what goes first. */
export const PRIORITIES: readonly Priority[] = ["critical", "normal", "low", "background"];
