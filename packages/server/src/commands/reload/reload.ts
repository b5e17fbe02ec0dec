/** Reads rule files again while the service runs. */
import { describeProblem, type ParseOptions, parseRules, RulesError } from "../../rules/index.ts";
import type { Service } from "../../service/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { CommandError } from "../command-error.ts";
import { readRuleFiles } from "../rule-files.ts";
import { describeDiff, diffOf } from "./diff.ts";
import { watchFiles } from "./watch-files.ts";

export type ReloadOptions = {
  readonly paths: readonly string[];
  readonly parse: ParseOptions;
  readonly service: Service;
  readonly log: Log;
};

export type Reloading = {
  /** Reads the files again, whether they have changed or not. */
  readonly reload: (why: string) => Promise<void>;
  /** Why the rules that are in use are not those of the files; undefined where they are. */
  readonly trouble: () => string | undefined;
  readonly close: () => void;
};

/**
 * Watches rule files. Requests are decided by the rules before, or by the new ones as a whole; files
 * that are wrong change nothing, and are reported.
 */
export async function watchRules(options: ReloadOptions): Promise<Reloading> {
  let trouble: string | undefined;
  // One after the other, so that what was read last is what is used.
  let last: Promise<void> = Promise.resolve();
  const reload = (why: string) => {
    last = last.then(async () => {
      trouble = await replaceRules(options, why);
    });
    return last;
  };
  const close = await watchFiles(options.paths, () => reload("rule files have changed"));
  return { reload, trouble: () => trouble, close };
}

/** Returns what is wrong, if anything is. */
async function replaceRules(
  { paths, parse, service, log }: ReloadOptions,
  why: string,
): Promise<string | undefined> {
  try {
    const rules = parseRules(await readRuleFiles(paths), parse);
    const [amount, ...lines] = describeDiff(diffOf(service.rules, rules));
    service.replaceRules(rules);
    log.info(`${why}: ${amount}`);
    for (const line of lines) log.info(`  ${line}`);
    for (const warning of rules.warnings) log.warn(describeProblem(warning));
    return undefined;
  } catch (error) {
    if (!(error instanceof RulesError || error instanceof CommandError)) throw error;
    log.warn(`${why}, and can't be used: the rules before stay in use`);
    for (const line of error.message.split("\n")) log.warn(line);
    return error.message;
  }
}
