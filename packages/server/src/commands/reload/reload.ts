/** Reads rule files again while the service runs. */
import {
  describeProblem,
  listRules,
  type ParseOptions,
  type Rule,
  type RuleFile,
  type Rules,
  RulesError,
} from "../../rules/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { CommandError } from "../command-error.ts";
import { readRuleFiles } from "../rule-files.ts";
import { describeDiff, diffOf } from "./diff.ts";
import { parseAside } from "./parse-aside.ts";
import { watchFiles } from "./watch-files.ts";

export type ReloadOptions = {
  readonly paths: readonly string[];
  readonly parse: ParseOptions;
  readonly service: RulesUser;
  readonly log: Log;
  /** Is called whenever that has changed which `trouble` returns. */
  readonly onTrouble?: (trouble: string | undefined) => void;
};

/** A service, or what stands for several. */
export type RulesUser = {
  readonly rules: Rules;
  /** Has it decide by other rules, which are those of these files. */
  readonly replaceRules: (rules: Rules, files: readonly RuleFile[]) => void | Promise<void>;
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
  const current: Current = { list: listRules(options.service.rules), trouble: undefined };
  // One after the other, so that what was read last is what is used; one that waits reads for all.
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const reload = (why: string) => {
    waiting ??= last.then(async () => {
      waiting = undefined;
      const trouble = await replaceRules(options, current, why);
      if (trouble !== current.trouble) options.onTrouble?.(trouble);
      current.trouble = trouble;
    });
    last = waiting;
    return waiting;
  };
  const close = await watchFiles(options.paths, () => reload("rule files have changed"));
  return { reload, trouble: () => current.trouble, close };
}

/** The rules that are in use, and what is wrong with those of the files. */
type Current = { list: readonly Rule[]; trouble: string | undefined };

/** Returns what is wrong, if anything is. */
async function replaceRules(
  { paths, parse, service, log }: ReloadOptions,
  current: Current,
  why: string,
): Promise<string | undefined> {
  try {
    // A pipe that nobody writes to would keep all later changes waiting.
    const files = await readRuleFiles(paths, { regular: true });
    const { rules, list } = await parseAside(files, parse);
    await service.replaceRules(rules, files);
    const [amount, ...lines] = describeDiff(await diffOf(current.list, list));
    current.list = list;
    log.info(`${why}: ${amount}`);
    for (const line of lines) log.info(`  ${line}`);
    for (const warning of rules.warnings) log.warn(describeProblem(warning));
    return undefined;
  } catch (error) {
    // Whatever it is, what runs goes on, and the next change is read.
    const isTheirs = error instanceof RulesError || error instanceof CommandError;
    const { message, stack = message } = error as Error;
    log.warn(`${why}, and can't be used: the rules before stay in use`);
    for (const line of (isTheirs ? message : stack).split("\n")) log.warn(line);
    return message;
  }
}
