import type { Warn } from "../limits/core/index.ts";

/**
 * The number of limiters with stores of their own that one line may create before there is a
 * warning.
 */
const MANY = 100;
/** The maximum number of lines to count. */
const MOST_LINES = 1000;

const births = new Map<string, number>();

/**
 * Warns once of each line of the program that creates many limiters with memory stores of their
 * own.
 *
 * In a request handler, that would mean no limit at all.
 */
export function warnIfMadePerRequest(warn: Warn): void {
  const line = callerOf(new Error().stack);
  if (line === undefined || (births.size >= MOST_LINES && !births.has(line))) return;
  const count = (births.get(line) ?? 0) + 1;
  births.set(line, count);
  if (count !== MANY) return;
  warn(
    `${MANY} limiters were created ${line}, and each counts on its own. Create one outside the ` +
      "request handler, or pass all of them the same `store`",
  );
}

/**
 * Returns the line that called the constructor, four calls up the stack. Some runtimes put a title
 * first.
 */
function callerOf(stack: string | undefined): string | undefined {
  const lines = stack?.split("\n") ?? [];
  return lines[lines[0]?.startsWith("Error") ? 4 : 3]?.trim();
}
