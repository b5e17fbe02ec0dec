import { printable } from "spillway/support";

/** The longest line, in characters. */
const LONGEST = 500;

/**
 * Formats an error's message and stack, a line each. Line breaks in a message can't forge further
 * lines.
 */
export function shownStack(error: unknown): string {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const end = stack.indexOf(message) + message.length;
  const frames = stack.slice(end).split("\n").filter(isFrame);
  return [message, ...frames].map((line) => printable(line, LONGEST)).join("\n");
}

function isFrame(line: string): boolean {
  return line.startsWith("    at ");
}
