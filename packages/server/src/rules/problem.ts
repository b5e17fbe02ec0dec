import { printable } from "spillway/support";
import type { ProgramRuleCode, RuleCode, RuleWarningCode } from "../error-codes.ts";

/** A mistake or a probable mistake in a rule file: its place, the text found, and a remedy. */
export type RuleProblem = {
  readonly file: string;
  /** Counted from 1, as the column is. */
  readonly line: number;
  readonly column: number;
  readonly code: RuleCode | ProgramRuleCode | RuleWarningCode;
  /** The text that was found, made safe to show. */
  readonly found: string;
  readonly expected: string;
  readonly hint: string | undefined;
};

/** A mistake, without its place. */
export type UnplacedProblem = Pick<RuleProblem, "found" | "expected"> & {
  readonly code: RuleCode;
  readonly hint?: string | undefined;
};

/** A possible mistake, without its place. */
export type Warning = Pick<RuleProblem, "found" | "expected"> & {
  readonly code: RuleWarningCode;
};

/** The maximum number of mistakes that are described. Further ones are only counted. */
export const MOST_PROBLEMS = 100;

/** Thrown for rule files that can't be used. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  /** The first 100 mistakes, ordered by file and line. */
  readonly problems: readonly RuleProblem[];
  /** The number of mistakes that are not described. */
  readonly more: number;

  constructor(problems: readonly RuleProblem[], more: number) {
    const rest = more === 0 ? [] : [`and ${more} more`];
    super([...problems.map(describeProblem), ...rest].join("\n"));
    this.problems = problems;
    this.more = more;
  }
}

/**
 * The longest path to show, in characters. Users must be able to find the file, so only absurd
 * paths are cut.
 */
const LONGEST_PATH = 1000;

/** Formats a problem as `file:line:column code message`, one line that editors can follow. Pure. */
export function describeProblem(problem: RuleProblem): string {
  const { line, column, code, found, expected, hint } = problem;
  const file = printable(problem.file, LONGEST_PATH);
  const advice = hint === undefined ? "" : `. ${hint}`;
  return `${file}:${line}:${column} ${code} found ${found}, expected ${expected}${advice}`;
}
