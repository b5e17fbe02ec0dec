/** Changes rules while the service runs: reads their files again, or takes what is posted. */
import {
  describeProblem,
  listRules,
  type ParseOptions,
  type RuleFile,
  type Rules,
  RulesError,
} from "../../rules/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { AskRules, RulesAnswer, RulesChange } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import { readRuleFiles, watchFiles, writeByRename } from "../files/index.ts";
import { describeDiff, diffOf, type RulesDiff } from "./diff.ts";
import { type Parsed, parseAside } from "./parse-aside.ts";
import { changedBy, fileOf, type Running, refusalOf, shown } from "./running.ts";

export type ReloadOptions = {
  readonly paths: readonly string[];
  /** The files that were read there, and are in use. */
  readonly files: readonly RuleFile[];
  /** The result of `signatureOf` before that. Default: its result now. */
  readonly seen?: string | undefined;
  readonly parse: ParseOptions;
  readonly service: RulesUser;
  readonly log: Pick<Log, "info" | "warn">;
  /** Is called whenever that has changed which `trouble` returns. */
  readonly onTrouble?: (trouble: string | undefined) => void;
  /** Is called each time that files were read which can't be used. */
  readonly onBad?: () => void;
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
  /** Reads what is in use, or changes it. */
  readonly ask: AskRules;
  /** Why the rules that are in use are not those of the files; undefined where they are. */
  readonly trouble: () => string | undefined;
  readonly close: () => void;
};

/**
 * Watches rule files. Requests are decided by the rules before, or by the new ones as a whole; files
 * that are wrong change nothing, and are reported.
 */
export async function watchRules(options: ReloadOptions): Promise<Reloading> {
  const keeper = new Keeper(options);
  const reload = (why: string) => keeper.reload(why);
  const { paths, seen } = options;
  const changed = () => reload("rule files have changed");
  const close = await watchFiles({ paths, seen, changed });
  return { reload, ask: (query) => keeper.ask(query), trouble: () => keeper.trouble, close };
}

class Keeper {
  readonly #options: ReloadOptions;
  #running: Running;
  /** One after the other, so that what came last is what is used. */
  #last: Promise<unknown> = Promise.resolve();
  /** One that waits reads for all. */
  #waiting: Promise<void> | undefined;

  constructor(options: ReloadOptions) {
    this.#options = options;
    const list = listRules(options.service.rules);
    this.#running = { files: options.files, list, posted: new Set(), trouble: undefined };
  }

  get trouble(): string | undefined {
    return this.#running.trouble;
  }

  reload(why: string): Promise<void> {
    this.#waiting ??= this.#inTurn(() => {
      this.#waiting = undefined;
      return this.#readAgain(why);
    });
    return this.#waiting;
  }

  async ask(query: Parameters<AskRules>[0]): Promise<RulesAnswer> {
    if (query.type === "read") return shown(this.#running);
    return this.#inTurn(() => this.#change(query));
  }

  /** Nothing in turn rejects. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run);
    this.#last = turn;
    return turn;
  }

  async #readAgain(why: string): Promise<void> {
    const { paths, parse } = this.#options;
    try {
      // A pipe that nobody writes to would keep all later changes waiting.
      const files = await readRuleFiles(paths, { regular: true });
      await this.#use(files, { parsed: await parseAside(files, parse), posted: new Set(), why });
    } catch (error) {
      this.#options.onBad?.();
      this.#set({ ...this.#running, trouble: (error as Error).message });
      this.#report(error as Error, why);
    }
  }

  /** Whatever it is, what runs goes on, and the next change is read. */
  #report(error: Error, why: string): void {
    const { warn } = this.#options.log;
    const isTheirs = error instanceof RulesError || error instanceof CommandError;
    const { message, stack = message } = error;
    warn(`${why}, and can't be used: the rules before stay in use`);
    for (const line of (isTheirs ? message : stack).split("\n")) warn(line);
  }

  async #change(change: RulesChange): Promise<RulesAnswer> {
    const found = fileOf(this.#running, change);
    if ("type" in found) return found;
    const { name: file } = found;
    const { text, check, write } = change;
    try {
      const files = this.#running.files.map((one) => (one === found ? { name: file, text } : one));
      const parsed = await parseAside(files, this.#options.parse);
      if (check) {
        const diff = await diffOf(this.#running.list, parsed.list);
        return changedBy(change, { file, rules: parsed.rules, diff });
      }
      // Before it is used: what can't be written is to change nothing.
      if (write) await writeByRename({ path: file, text });
      const posted = new Set(this.#running.posted);
      if (write) posted.delete(file);
      else posted.add(file);
      const why = `rules were posted for ${file}`;
      const diff = await this.#use(files, { parsed, posted, why });
      return changedBy(change, { file, rules: parsed.rules, diff });
    } catch (error) {
      const refusal = refusalOf(error, { file });
      if (refusal.code !== "bad-rules") this.#report(error as Error, "rules were posted");
      return refusal;
    }
  }

  #set(running: Running): void {
    const before = this.trouble;
    this.#running = running;
    if (this.trouble !== before) this.#options.onTrouble?.(this.trouble);
  }

  /** Has the service decide by rules, and logs what has changed. */
  async #use(
    files: readonly RuleFile[],
    { parsed: { rules, list }, posted, why }: Using,
  ): Promise<RulesDiff> {
    const { service, log } = this.#options;
    await service.replaceRules(rules, files);
    const diff = await diffOf(this.#running.list, list);
    const isRead = posted.size === 0;
    this.#set({ files, list, posted, trouble: isRead ? undefined : this.trouble });
    const [amount, ...lines] = describeDiff(diff);
    log.info(`${why}: ${amount}`);
    for (const line of lines) log.info(`  ${line}`);
    for (const warning of rules.warnings) log.warn(describeProblem(warning));
    return diff;
  }
}

type Using = {
  readonly parsed: Parsed;
  readonly posted: ReadonlySet<string>;
  readonly why: string;
};
