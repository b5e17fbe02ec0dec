/** The queries of `/v1/rules` to the keeper of a service's rules, be it in another process. Plain data. */
import type { RequestCode } from "../../../error-codes.ts";
import type { RuleProblem } from "../../../rules/index.ts";

export type RulesQuery = { readonly type: "read" } | RulesChange;

/** Another text for one rule file. */
export type RulesChange = {
  readonly type: "change";
  readonly text: string;
  /** Which file, as `read` names it, or the last part of that; may be left out where there is one. */
  readonly file: string | undefined;
  /** Whether it is to be written into the file as well. */
  readonly write: boolean;
  /** Whether only to say what would change. */
  readonly check: boolean;
};

export type RulesAnswer = RunningRules | ChangedRules | RulesRefusal;

/** The rules in use. */
export type RunningRules = {
  readonly type: "running";
  readonly files: readonly {
    readonly file: string;
    /** Whether the text came by `/v1/rules`, and is not what the file says. */
    readonly posted: boolean;
    readonly text: string;
  }[];
  readonly limits: readonly RuleSummary[];
  /** Why the rules that run are not those of the files, where the files are wrong. */
  readonly trouble: string | undefined;
};

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
  readonly warnings: readonly RuleProblem[];
};

/** Why nothing has changed. */
export type RulesRefusal = {
  readonly type: "refused";
  readonly code: Extract<RequestCode, "bad-rules" | "not-written" | "unknown-file" | "internal">;
  readonly detail: string;
  readonly problems?: readonly RuleProblem[];
};

/** Answers queries; never rejects. */
export type AskRules = (query: RulesQuery) => Promise<RulesAnswer>;
