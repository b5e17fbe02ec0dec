/** Messages between the primary process and its workers. */
import type { CommandCode } from "../../error-codes.ts";
import type { RuleFile } from "../../rules/index.ts";
import type { WorkerPage } from "../../telemetry/index.ts";
import type { RulesAnswer, RulesQuery } from "../../transports/http-api/index.ts";

/** To a worker. */
export type ToWorker =
  /** The answer to its hello: the settings to serve by. */
  | {
      readonly type: "start";
      readonly files: readonly RuleFile[];
      readonly trouble: string | undefined;
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
  /** The worker can't start. */
  | { readonly type: "failed"; readonly code: CommandCode; readonly message: string };
