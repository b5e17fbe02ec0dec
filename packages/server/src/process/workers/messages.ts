/** Messages between the primary process and its workers. */
import type { CommandCode, RequestCode } from "../../error-codes.ts";
import type { RuleFile } from "../../rules/index.ts";
import type {
  BudgetCall,
  DirectCall,
  KeyCounts,
  ModeSwitch,
  ValuesResponse,
} from "../../service/index.ts";
import type { WorkerPage } from "../../telemetry/index.ts";
import type { RulesAnswer, RulesQuery } from "../../transports/http-api/index.ts";

/** To a worker. */
export type ToWorker =
  /** The answer to its hello: the settings to serve by. */
  | {
      readonly type: "start";
      readonly files: readonly RuleFile[];
      readonly trouble: string | undefined;
      readonly switches: readonly ModeSwitch[];
    }
  /** All other workers are ready too. */
  | { readonly type: "listen" }
  /** New rules, which have been checked, for the worker to prepare. */
  | { readonly type: "rules"; readonly files: readonly RuleFile[]; readonly round: number }
  /** Use the rules of that round. */
  | { readonly type: "use"; readonly round: number }
  /** Why the rules in use differ from the files; undefined if they do not. */
  | { readonly type: "trouble"; readonly trouble: string | undefined }
  /** The answer to its query. */
  | { readonly type: "answer"; readonly round: number; readonly answer: RulesAnswer }
  /** Asks for its metrics. */
  | { readonly type: "count"; readonly round: number }
  /** The metrics of all workers. */
  | { readonly type: "counted"; readonly round: number; readonly pages: readonly WorkerPage[] }
  /** Decide by these modes. */
  | { readonly type: "modes"; readonly round: number; readonly switches: readonly ModeSwitch[] }
  /** Make an administrator's call on budgets. */
  | { readonly type: "budgets"; readonly round: number; readonly call: BudgetCall }
  /** Asks for the most asked keys. */
  | { readonly type: "keys"; readonly round: number }
  /** Its call is in the audit log, unless that was refused. */
  | {
      readonly type: "noted";
      readonly round: number;
      readonly refused: CallRefusal | undefined;
    }
  /** Stop. The second message ends the drain. */
  | { readonly type: "stop"; readonly why: string };

/** From a worker. */
export type FromWorker =
  | { readonly type: "hello" }
  /** The worker is able to listen. */
  | { readonly type: "ready" }
  /** The worker listens. The lines are for the person who started the service. */
  | { readonly type: "serving"; readonly lines: readonly string[] }
  /** The rules of that round are prepared: units held under earlier ones were given back. */
  | { readonly type: "prepared"; readonly round: number }
  /** The worker uses the rules of that round. */
  | { readonly type: "applied"; readonly round: number }
  /** A client's query about the rules, which the primary process manages. */
  | { readonly type: "ask"; readonly round: number; readonly query: RulesQuery }
  /** The worker's metrics. */
  | { readonly type: "numbers"; readonly round: number; readonly text: string }
  /** Asks for the metrics of all workers. */
  | { readonly type: "count"; readonly round: number }
  /** The worker decides by the modes of that round. */
  | { readonly type: "switched"; readonly round: number }
  /** The answer to a call on budgets. */
  | { readonly type: "called"; readonly round: number; readonly answer: BudgetAnswer }
  /** Its most asked keys. */
  | { readonly type: "keys"; readonly round: number; readonly counts: KeyCounts }
  /** A call to be written into the audit log before it is carried out. */
  | { readonly type: "note"; readonly round: number; readonly call: DirectCall }
  /** The worker can't start. */
  | { readonly type: "failed"; readonly code: CommandCode; readonly message: string };

/** Why a call was refused, as plain data. */
export type CallRefusal = {
  readonly status: number;
  readonly code: RequestCode;
  readonly detail: string;
};

/** The values of budgets, or why there are none: plain data. */
export type BudgetAnswer =
  | ValuesResponse
  | { readonly refused: CallRefusal }
  /** The store gave no answer. */
  | { readonly failed: string };
