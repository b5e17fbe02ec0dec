/**
 * The queries of `/v1/rules` to the process that manages the rules, which may be another one. Plain
 * data.
 */
import type { RequestCode } from "../../../error-codes.ts";
import type { RuleProblem } from "../../../rules/index.ts";

export type RulesQuery = RulesRead | RulesChange;

/** A request for the rules in use. */
export type RulesRead = {
  readonly type: "read";
  /** Versions that the client has: of these only the news is sent that nothing has changed. */
  readonly known?: readonly string[];
};

/** A new text for one rule file. */
export type RulesChange = {
  readonly type: "change";
  readonly text: string;
  /** The file as `read` names it, or the last part of its path. Optional if there is one file. */
  readonly file: string | undefined;
  /** Whether to write the text into the file as well. */
  readonly write: boolean;
  /** Whether to only report what would change. */
  readonly check: boolean;
};

export type RulesAnswer = RunningRules | UnchangedRules | ChangedRules | RulesRefusal;

/** The rules in use. */
export type RunningRules = {
  readonly type: "running";
  /** A digest of the files and of `trouble`: the same in all services that have the same rules. */
  readonly version: string;
  readonly files: readonly {
    readonly file: string;
    /** Whether the text was posted to `/v1/rules` and differs from the file. */
    readonly posted: boolean;
    readonly text: string;
  }[];
  readonly limits: readonly RuleSummary[];
  /** Why the rules in use differ from the files, if the files are wrong. */
  readonly trouble: string | undefined;
};

/** The rules in use are those of a version that the client has. */
export type UnchangedRules = { readonly type: "unchanged"; readonly version: string };

export type RuleSummary = { readonly limit: string; readonly allows: string };

/** The result of a change. */
export type ChangedRules = {
  readonly type: "changed";
  readonly file: string;
  readonly applied: boolean;
  readonly written: boolean;
  readonly added: readonly RuleSummary[];
  readonly changed: readonly (RuleSummary & { readonly before: string })[];
  readonly removed: readonly RuleSummary[];
  /** The domains whose `http` section differs. */
  readonly http: readonly string[];
  readonly warnings: readonly RuleProblem[];
};

/** The reason for which nothing was changed. */
export type RulesRefusal = {
  readonly type: "refused";
  readonly code: Extract<RequestCode, "bad-rules" | "not-written" | "unknown-file" | "internal">;
  readonly detail: string;
  readonly problems?: readonly RuleProblem[];
};

/** Answers queries. It never rejects. */
export type AskRules = (query: RulesQuery) => Promise<RulesAnswer>;
