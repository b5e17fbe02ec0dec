/** The rules in use, as `/v1/rules` reads and changes them. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { display, printable } from "spillway/support";
import { type Rule, type RuleFile, type Rules, RulesError } from "../../rules/index.ts";
import type {
  ChangedRules,
  RuleSummary,
  RulesChange,
  RulesRead,
  RulesRefusal,
  RunningRules,
  UnchangedRules,
} from "../../transports/http-api/index.ts";
import { describeRule } from "../console/index.ts";
import { systemMessage } from "../system-message.ts";
import type { RulesDiff } from "./diff.ts";

/** The files and rules in use. */
export type RulesState = {
  readonly files: readonly RuleFile[];
  readonly list: readonly Rule[];
  readonly http: Rules["http"];
  /** The names of files whose text was posted, not read. */
  readonly posted: ReadonlySet<string>;
  /** The mistakes in the files, if they can't be used. */
  readonly trouble: string | undefined;
};

/** The versions of states, which are computed when they are first needed. */
const versions = new WeakMap<RulesState, string>();

function versionOf(state: RulesState): string {
  const known = versions.get(state);
  if (known !== undefined) return known;
  const { files, posted, trouble = null } = state;
  const content = JSON.stringify([
    files.map(({ name, text }) => [name, text]),
    [...posted],
    trouble,
  ]);
  const version = createHash("sha256").update(content).digest("base64url");
  versions.set(state, version);
  return version;
}

/** Formats them for a response, unless the client has them. */
export function shown(state: RulesState, { known }: RulesRead): RunningRules | UnchangedRules {
  const { files, list, posted, trouble } = state;
  const version = versionOf(state);
  if (known?.includes(version)) return { type: "unchanged", version };
  return {
    type: "running",
    version,
    files: files.map(({ name, text }) => ({ file: name, posted: posted.has(name), text })),
    limits: list.map(summary),
    trouble,
  };
}

function summary(rule: Rule): RuleSummary {
  return { limit: rule.name, allows: describeRule(rule) };
}

/** Returns the file that a change concerns, or a refusal if that is ambiguous. Pure. */
export function fileOf({ files }: RulesState, { file }: RulesChange): RuleFile | RulesRefusal {
  const [only] = files;
  if (file === undefined && only !== undefined && files.length === 1) return only;
  const found =
    files.find(({ name }) => name === file) ??
    theOnly(files, ({ name }) => basename(name) === file);
  if (found !== undefined) return found;
  const said = file === undefined ? "no file" : `the file ${display(file)}`;
  const names = files.map(({ name }) => printable(name, 200)).join(", ");
  const detail = `Found ${said}, expected ?file= with a file that the service reads: ${names}`;
  return { type: "refused", code: "unknown-file", detail };
}

function theOnly<T>(all: readonly T[], fits: (one: T) => boolean): T | undefined {
  const some = all.filter(fits);
  return some.length === 1 ? some[0] : undefined;
}

/** Returns the result of a change. Pure. */
export function changedBy(
  { check, write }: RulesChange,
  { file, rules, diff }: { readonly file: string; readonly rules: Rules; readonly diff: RulesDiff },
): ChangedRules {
  return {
    type: "changed",
    file,
    applied: !check,
    written: write && !check,
    added: diff.added.map(summary),
    changed: diff.changed.map(({ before, now }) => ({
      ...summary(now),
      before: describeRule(before),
    })),
    removed: diff.removed.map(summary),
    http: diff.sections,
    warnings: rules.warnings,
  };
}

/** Returns why a change was not made. Pure. */
export function refusalOf(error: unknown, { file }: { readonly file: string }): RulesRefusal {
  if (error instanceof RulesError) {
    const { problems, more } = error;
    const count = problems.length + more;
    const mistakes = count === 1 ? "mistake" : "mistakes";
    const detail = `Found ${count} ${mistakes}; the previous rules stay in use`;
    return { type: "refused", code: "bad-rules", detail, problems };
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined) {
    const why = systemMessage(error);
    const name = printable(file, 200);
    const detail = `${name} can't be written: ${why}; the previous rules stay in use`;
    return { type: "refused", code: "not-written", detail };
  }
  const detail = "An internal error occurred; the previous rules stay in use";
  return { type: "refused", code: "internal", detail };
}
