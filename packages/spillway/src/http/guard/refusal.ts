/** Refusals as HTTP responses. */
import { type Decision, RateLimitError, refusalStatus } from "../../limits/core/index.ts";
import {
  BAD_REQUEST,
  type Header,
  NOT_ANSWERED,
  type ProblemBody,
  type ProblemDocument,
  problemBody,
  problemOf,
  SERVER_ERROR,
} from "../headers/index.ts";
import { MissingBodyError } from "./bodies.ts";
import type { RouteFailure } from "./calls.ts";

/** The response in place of the handler's. */
export type Refusal = {
  readonly status: number;
  /** All headers except the type and the length of the body. */
  readonly headers: readonly Header[];
  /** The decision that refused; undefined if a function of the route failed. */
  readonly decision: Decision | undefined;
  readonly problem: ProblemDocument;
  /** Returns the refusal as an error, for frameworks with error handlers. */
  error(): unknown;
  /** Returns the problem in the form that the client's `Accept` header prefers. */
  body(accept: string | undefined): ProblemBody;
};

/** A refusal must not be cached, neither for other clients nor for later requests (RFC 6585, 4). */
const NO_STORE: Header = ["Cache-Control", "no-store"];

/** Creates the refusal of a limit or a shedder. */
export function refusalOf(decision: Decision, reported: RefusalReport): Refusal {
  return new LimitRefusal(decision, reported);
}

/** Headers and policies of the limits that refused, for the client. */
type RefusalReport = { readonly headers: readonly Header[]; readonly policies: readonly string[] };

/**
 * The refusal of a limit or a shedder. Its problem is created on demand, because a handler may
 * answer otherwise.
 */
class LimitRefusal implements Refusal {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly decision: Decision;
  readonly #policies: readonly string[];

  constructor(decision: Decision, { headers, policies }: RefusalReport) {
    const seconds = secondsOf(decision);
    const waits: readonly Header[] =
      seconds === undefined ? [] : [["Retry-After", String(seconds)]];
    this.status = refusalStatus(decision);
    this.headers = [...headers, ...waits, NO_STORE];
    this.decision = decision;
    this.#policies = policies;
  }

  get problem(): ProblemDocument {
    const { decision } = this;
    const { reason } = decision;
    return problemOf({ reason, retryAfter: secondsOf(decision), policies: this.#policies });
  }

  error(): unknown {
    return new RateLimitError(this.decision, recordOf(this.headers));
  }

  body(accept: string | undefined): ProblemBody {
    return problemBody(this.problem, accept);
  }
}

/** Returns headers as a record. If a name repeats, the last value wins. Pure. */
export function recordOf(headers: readonly Header[]): { [name: string]: string } {
  const record: { [name: string]: string } = {};
  for (const [name, value] of headers) record[name] = value;
  return record;
}

/**
 * Returns the milliseconds until the same request may be served; undefined if waiting does not
 * help. Pure.
 */
export function waitOf({
  retryAfter,
  estimatedRetryAfter = retryAfter,
}: Decision): number | undefined {
  return Number.isFinite(estimatedRetryAfter) ? estimatedRetryAfter : undefined;
}

/** Returns the same wait in whole seconds, rounded up. Pure. */
export function secondsOf(decision: Decision): number | undefined {
  const wait = waitOf(decision);
  return wait === undefined ? undefined : Math.ceil(wait / 1000);
}

/** After a timeout, another try in a second may succeed. */
const RETRY_SOON: Header = ["Retry-After", "1"];

/** Creates the refusal of a request that could not be decided. Clients do not learn the reason. */
export function failureRefusal(
  { timedOut, error }: RouteFailure,
  earlier: readonly Header[],
): Refusal {
  const isClients = error instanceof MissingBodyError;
  const problem = timedOut ? NOT_ANSWERED : isClients ? BAD_REQUEST : SERVER_ERROR;
  return {
    status: problem.status,
    headers: timedOut ? [...earlier, RETRY_SOON, NO_STORE] : [...earlier, NO_STORE],
    decision: undefined,
    problem,
    error: () => (isClients ? badRequest(error) : asError(error)),
    body: (accept) => problemBody(problem, accept),
  };
}

/** Creates the refusal of a request that no limit was asked about. */
export function problemRefusal(
  { problem, headers }: { readonly problem: ProblemDocument; readonly headers: readonly Header[] },
  earlier: readonly Header[],
): Refusal {
  const { status, detail } = problem;
  const all = [...earlier, ...headers, NO_STORE];
  const known = { status, statusCode: status, expose: true, headers: recordOf(all) };
  return {
    status,
    headers: all,
    decision: undefined,
    problem,
    error: () => Object.assign(new Error(detail), known),
    body: (accept) => problemBody(problem, accept),
  };
}

/** Converts to the form in which frameworks recognize errors of the client. */
function badRequest(error: MissingBodyError): Error {
  return Object.assign(new Error(BAD_REQUEST.detail, { cause: error.cause }), {
    status: BAD_REQUEST.status,
    statusCode: BAD_REQUEST.status,
    expose: true,
  });
}

/**
 * Converts any thrown value to an error. Frameworks would go on after undefined or a word such as
 * "route". Pure.
 */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error("A function of the route threw a value that is not an Error", { cause: thrown });
}
