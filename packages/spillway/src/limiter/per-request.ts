import type { Warn } from "../limits/core/index.ts";

/** Limiters that one line may make with stores of their own before there is a warning. */
const MANY = 100;
/** Lines to keep count of. */
const MOST_LINES = 1000;

const births = new Map<string, number>();

/**
 * Notices a line of the program that makes limiter after limiter, each with a memory of its own: in
 * a request handler that would mean no limit at all. Warns once a line.
 */
export function warnIfMadePerRequest(warn: Warn): void {
  const line = callerOf(new Error().stack);
  if (line === undefined || (births.size >= MOST_LINES && !births.has(line))) return;
  const count = (births.get(line) ?? 0) + 1;
  births.set(line, count);
  if (count !== MANY) return;
  warn(
    `${MANY} limiters have been made ${line}, and each counts for itself. Make one outside the ` +
      "request handler, or pass them a common `store`",
  );
}

/** The line that called the constructor, four calls up the stack; some runtimes put a title first. */
function callerOf(stack: string | undefined): string | undefined {
  const lines = stack?.split("\n") ?? [];
  return lines[lines[0]?.startsWith("Error") ? 4 : 3]?.trim();
}
