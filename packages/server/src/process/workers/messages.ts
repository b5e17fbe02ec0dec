/** Messages between the primary process and its workers. */
import type { CommandCode } from "../../error-codes.ts";
import type { RuleFile } from "../../rules/index.ts";
import type { WorkerPage } from "../../telemetry/index.ts";
import type { RulesAnswer, RulesQuery } from "../../transports/http-api/index.ts";

/** To a worker. */
export type ToWorker =
  /** The answer to its hello: what it is to serve by. */
  | {
      readonly type: "start";
      readonly files: readonly RuleFile[];
      readonly trouble: string | undefined;
    }
  /** All others are ready too. */
  | { readonly type: "listen" }
  /** Other rules, which have been checked: it is to make them ready. */
  | { readonly type: "rules"; readonly files: readonly RuleFile[]; readonly round: number }
  /** It is to decide by the rules of that round. */
  | { readonly type: "use"; readonly round: number }
  /** Why the rules in use are not those of the files; undefined where they are. */
  | { readonly type: "trouble"; readonly trouble: string | undefined }
  /** The answer to a query of its own. */
  | { readonly type: "answer"; readonly round: number; readonly answer: RulesAnswer }
  /** It is to say its numbers. */
  | { readonly type: "count"; readonly round: number }
  /** The numbers of all workers. */
  | { readonly type: "counted"; readonly round: number; readonly pages: readonly WorkerPage[] }
  /** Stop; the second one ends the drain. */
  | { readonly type: "stop"; readonly why: string };

/** From a worker. */
export type FromWorker =
  | { readonly type: "hello" }
  /** It could listen. */
  | { readonly type: "ready" }
  /** It listens; the lines are for whoever started the service. */
  | { readonly type: "serving"; readonly lines: readonly string[] }
  /** The rules of that round are ready: what was lent to it under others is given back. */
  | { readonly type: "prepared"; readonly round: number }
  /** It decides by the rules of that round. */
  | { readonly type: "applied"; readonly round: number }
  /** A client's query about the rules, which the primary process keeps. */
  | { readonly type: "ask"; readonly round: number; readonly query: RulesQuery }
  /** Its numbers. */
  | { readonly type: "numbers"; readonly round: number; readonly text: string }
  /** It wants the numbers of all. */
  | { readonly type: "count"; readonly round: number }
  /** It can't begin. */
  | { readonly type: "failed"; readonly code: CommandCode; readonly message: string };
