import { parseRules, type RuleProblem, type Rules, RulesError } from "../../src/index.ts";

/** The rules of one file. */
export function rulesOf(text: string): Rules {
  return parseRules([{ name: "rules.yaml", text }]);
}

/** What is wrong with some files. */
export function problemsOf(...texts: readonly string[]): readonly RuleProblem[] {
  return errorOf(texts)?.problems ?? [];
}

/** The error that some files raise; fails where they raise none. */
export function refusalOf(...texts: readonly string[]): RulesError {
  const error = errorOf(texts);
  if (error === undefined) throw new Error("the rules were accepted");
  return error;
}

function errorOf(texts: readonly string[]): RulesError | undefined {
  try {
    parseRules(texts.map((text, index) => ({ name: `${index + 1}.yaml`, text })));
    return undefined;
  } catch (error) {
    if (error instanceof RulesError) return error;
    throw error;
  }
}
