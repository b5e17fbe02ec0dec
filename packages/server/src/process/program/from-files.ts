/** Watches rule files for a program, by the code that does so for the service. */
import { type ParseOptions, parseRules, type Rules } from "../../rules/index.ts";
import { readRuleFiles, signatureOf } from "../files/index.ts";
import { watchRuleFiles } from "../reload/index.ts";
import type { Troubles } from "./troubles.ts";

/** The user of rules. Both functions throw for rules that it can't use. */
export type RulesReceiver<T> = {
  readonly first: (rules: Rules) => T;
  readonly next: (kept: T, rules: Rules) => void | Promise<void>;
  readonly troubles: Troubles;
};

/** The user of the first rules, and the function that stops the watch. */
export type Watched<T> = { readonly kept: T; readonly stop: () => void };

/**
 * Milliseconds between two checks where the system reports no events, so that all readers agree
 * within a second.
 */
const PAUSE = 500;

/** @throws RulesError, CommandError */
export async function watchedFiles<T>(
  paths: readonly string[],
  { first, next, troubles, ...parse }: RulesReceiver<T> & ParseOptions,
): Promise<Watched<T>> {
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
