/** Watches rule files for a program, by the code that does so for the service. */
import { type ParseOptions, parseRules, type Rules } from "../../rules/index.ts";
import { readRuleFiles, signatureOf } from "../files/index.ts";
import { watchRuleFiles } from "../reload/index.ts";
import type { KeptLimits } from "./kept-limits.ts";
import type { Troubles } from "./troubles.ts";

/** The user of rules. Both functions throw for rules that it can't use. */
export type RulesReceiver = {
  readonly first: (rules: Rules) => KeptLimits;
  readonly next: (kept: KeptLimits, rules: Rules) => void;
  readonly troubles: Troubles;
};

/** Limits in use, and the function that stops the watch. */
export type Watched = { readonly kept: KeptLimits; readonly stop: () => void };

/**
 * Milliseconds between two checks where the system reports no events, so that all readers agree
 * within a second.
 */
const PAUSE = 500;

/** @throws RulesError, CommandError */
export async function watchedFiles(
  paths: readonly string[],
  { first, next, troubles, ...parse }: RulesReceiver & ParseOptions,
): Promise<Watched> {
  const seen = await signatureOf(paths);
  const files = await readRuleFiles(paths);
  const rules = parseRules(files, parse);
  const kept = first(rules);
  const { close: stop } = await watchRuleFiles({
    paths,
    seen,
    files,
    parse,
    pause: PAUSE,
    service: { rules, switches: [], replaceRules: (changed) => next(kept, changed) },
    log: { info: () => {}, warn: () => {} },
    onTrouble: (trouble) => troubles.set("rules", trouble),
  });
  return { kept, stop };
}
