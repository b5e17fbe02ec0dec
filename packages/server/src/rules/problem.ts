import { printable } from "spillway/support";
import type { RuleCode, RuleWarningCode } from "../error-codes.ts";

/** One mistake in a rule file, or what may be one: where it is, what it is, and a way out. */
export type RuleProblem = {
  readonly file: string;
  /** Counted from 1, like the column. */
  readonly line: number;
  readonly column: number;
  readonly code: RuleCode | RuleWarningCode;
  /** The text that was found, made safe to show. */
  readonly found: string;
  readonly expected: string;
  readonly hint: string | undefined;
};

/** A mistake, without its place. */
export type Complaint = Pick<RuleProblem, "found" | "expected"> & {
  readonly code: RuleCode;
  readonly hint?: string | undefined;
};

/** A possible mistake, without its place. */
export type Warning = Pick<RuleProblem, "found" | "expected"> & {
  readonly code: RuleWarningCode;
};

/** The most mistakes that are described; the rest is counted. */
export const MOST_PROBLEMS = 100;

/** Rule files that can't be used. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  /** The mistakes in them, file by file and from the top down: the first 100 that were found. */
  readonly problems: readonly RuleProblem[];
  /** How many mistakes were found beside these. */
  readonly more: number;

  constructor(problems: readonly RuleProblem[], more: number) {
    const rest = more === 0 ? [] : [`and ${more} more`];
    super([...problems.map(describeProblem), ...rest].join("\n"));
    this.problems = problems;
    this.more = more;
  }
}

/** A path is to be found again, so it is shown whole unless nobody can have meant it. */
const LONGEST_PATH = 1000;

/** `file:line:column code message`: one line that editors can follow. Pure. */
export function describeProblem(problem: RuleProblem): string {
  const { line, column, code, found, expected, hint } = problem;
  const file = printable(problem.file, LONGEST_PATH);
  const advice = hint === undefined ? "" : `. ${hint}`;
  return `${file}:${line}:${column} ${code} found ${found}, expected ${expected}${advice}`;
}
