/** Changes rules while the service runs: reloads their files, or takes posted ones. */
import { printable } from "spillway/support";
import {
  describeProblem,
  listRules,
  type ParseOptions,
  type RuleFile,
  type Rules,
  RulesError,
} from "../../rules/index.ts";
import { describeSwitch, type ModeSwitch } from "../../service/index.ts";
import type { ServiceLogger } from "../../telemetry/index.ts";
import type { AskRules, RulesAnswer, RulesChange } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import { readRuleFiles, watchFiles, writeByRename } from "../files/index.ts";
import { changedSections, describeDiff, diffOf, type RulesDiff } from "./diff.ts";
import { type Parsed, parseAside } from "./parse-aside.ts";
import { changedBy, fileOf, type RulesState, refusalOf, shown } from "./running.ts";

export type ReloadOptions = {
  readonly paths: readonly string[];
  /** The files that were read from the paths, and are in use. */
  readonly files: readonly RuleFile[];
  /** The result of `signatureOf` before they were read. Default: its result now. */
  readonly seen?: string | undefined;
  /** Milliseconds between two checks of the files. Default: 2000. */
  readonly pause?: number | undefined;
  readonly parse: ParseOptions;
  readonly service: RulesUser;
  readonly log: Pick<ServiceLogger, "info" | "warn">;
  /** Called whenever the result of `trouble` changes. */
  readonly onTrouble?: (trouble: string | undefined) => void;
  /** Called each time unusable files were read. */
  readonly onBad?: () => void;
};

/** A service, or a group of workers. */
export type RulesUser = {
  readonly rules: Rules;
  /** Puts other rules into use, which were parsed from these files. */
  readonly replaceRules: (rules: Rules, files: readonly RuleFile[]) => void | Promise<void>;
  /** The modes that administrators have switched, which new rules keep. */
  readonly switches: readonly ModeSwitch[];
};

export type Reloading = {
  /** Reloads the files, even if they have not changed. */
  readonly reload: (why: string) => Promise<void>;
  /** Reads or changes the rules in use. */
  readonly ask: AskRules;
  /** Why the rules in use differ from the files; undefined if they do not. */
  readonly trouble: () => string | undefined;
  readonly close: () => void;
};

/**
 * Watches rule files. Requests are decided by the previous rules or by the new ones as a whole.
 * Files with mistakes change nothing, and are reported.
 */
export async function watchRuleFiles(options: ReloadOptions): Promise<Reloading> {
  const keeper = new Keeper(options);
  const reload = (why: string) => keeper.reload(why);
  const { paths, seen, pause } = options;
  const changed = () => reload("rule files have changed");
  const close = await watchFiles({ paths, seen, changed, pause });
  return { reload, ask: (query) => keeper.ask(query), trouble: () => keeper.trouble, close };
}

class Keeper {
  readonly #options: ReloadOptions;
  #running: RulesState;
  /** Changes run one after the other, so that the last one wins. */
  #last: Promise<unknown> = Promise.resolve();
  /** A reload that has not begun yet serves all callers that request one. */
  #waiting: Promise<void> | undefined;

  constructor(options: ReloadOptions) {
    this.#options = options;
    const { files, service } = options;
    const { http } = service.rules;
    const list = listRules(service.rules);
    this.#running = { files, list, http, posted: new Set(), trouble: undefined };
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
    if (query.type === "read") return shown(this.#running, query);
    return this.#inTurn(() => this.#change(query));
  }

  /** A failed change does not stop later ones. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run);
    this.#last = turn;
    return turn;
  }

  async #readAgain(why: string): Promise<void> {
    const { paths, parse } = this.#options;
    try {
      // A pipe without a writer would block all later changes.
      const files = await readRuleFiles(paths, { regular: true });
      await this.#use(files, { parsed: await parseAside(files, parse), posted: new Set(), why });
    } catch (error) {
      this.#options.onBad?.();
      this.#set({ ...this.#running, trouble: (error as Error).message });
      this.#report(error as Error, why);
    }
  }

  /** After any error the service continues, and the next change is read. */
  #report(error: Error, why: string): void {
    const { warn } = this.#options.log;
    const isTheirs = error instanceof RulesError || error instanceof CommandError;
    const { message, stack = message } = error;
    warn(`${why}, and can't be used: the previous rules stay in use`);
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
        const diff = await this.#diff(parsed);
        return changedBy(change, { file, rules: parsed.rules, diff });
      }
      // Written before it is used: a text that can't be written must change nothing.
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

  async #diff({ rules, list }: Parsed): Promise<RulesDiff> {
    const { list: before, http } = this.#running;
    return { ...(await diffOf(before, list)), sections: changedSections(http, rules.http) };
  }

  #set(running: RulesState): void {
    const before = this.trouble;
    this.#running = running;
    if (this.trouble !== before) this.#options.onTrouble?.(this.trouble);
  }

  /** Puts rules into use, and logs the changes. */
  async #use(files: readonly RuleFile[], { parsed, posted, why }: RulesSwitch): Promise<RulesDiff> {
    const { service, log } = this.#options;
    // Compared first: after an error in here the log says that the rules before stay in use.
    const diff = await this.#diff(parsed);
    const { rules, list } = parsed;
    await service.replaceRules(rules, files);
    const trouble = posted.size === 0 ? undefined : this.trouble;
    this.#set({ files, list, http: rules.http, posted, trouble });
    const [amount, ...lines] = describeDiff(diff);
    log.info(`${why}: ${amount}`);
    const others = diff.sections.slice(0, MOST_SECTIONS).map(describeSection);
    for (const line of [...lines, ...others, ...keptModes(service)]) log.info(`  ${line}`);
    for (const warning of rules.warnings) log.warn(describeProblem(warning));
    return diff;
  }
}

/** The maximum number of changed `http` sections that are shown. */
const MOST_SECTIONS = 20;

function describeSection(domain: string): string {
  return `the http section of ${printable(domain, 120)} has changed`;
}

/** Returns a line if modes are switched. An operator could expect those of the files. */
function keptModes({ switches }: RulesUser): readonly string[] {
  if (switches.length === 0) return [];
  return [`switched modes stay: ${printable(switches.map(describeSwitch).join(", "))}`];
}

type RulesSwitch = {
  readonly parsed: Parsed;
  readonly posted: ReadonlySet<string>;
  readonly why: string;
};
