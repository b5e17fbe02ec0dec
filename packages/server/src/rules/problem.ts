import type { RuleCode } from "../error-codes.ts";

/** One mistake in a rule file: where it is, what it is, and a way out. */
export type RuleProblem = {
  readonly file: string;
  /** Counted from 1, like the column. */
  readonly line: number;
  readonly column: number;
  readonly code: RuleCode;
  /** What was found, made safe to show. */
  readonly found: string;
  readonly expected: string;
  readonly hint: string | undefined;
};

/** Rule files that can't be used. Carries every mistake in them. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  readonly problems: readonly RuleProblem[];

  constructor(problems: readonly RuleProblem[]) {
    super(problems.map(describeProblem).join("\n"));
    this.problems = problems;
  }
}

/** `file:line:column code message`: one line that editors can follow. Pure. */
export function describeProblem(problem: RuleProblem): string {
  const { file, line, column, code, found, expected, hint } = problem;
  const advice = hint === undefined ? "" : `. ${hint}`;
  return `${file}:${line}:${column} ${code} found ${found}, expected ${expected}${advice}`;
}
