import { parseRules, type RuleProblem, type Rules, RulesError } from "../../src/index.ts";

/** The rules of one file. */
export function rulesOf(text: string): Rules {
  return parseRules([{ name: "rules.yaml", text }]);
}

/** Everything that is wrong with some files. */
export function problemsOf(...texts: readonly string[]): readonly RuleProblem[] {
  try {
    parseRules(texts.map((text, index) => ({ name: `${index + 1}.yaml`, text })));
    return [];
  } catch (error) {
    if (error instanceof RulesError) return error.problems;
    throw error;
  }
}
