/** A refusal as it is answered over HTTP. */
import { type Decision, RateLimitError, refusalStatus } from "../../limits/core/index.ts";
import {
  BAD_REQUEST,
  type Body,
  type Header,
  NOT_ANSWERED,
  type ProblemDocument,
  problemBody,
  problemOf,
  SERVER_ERROR,
} from "../headers/index.ts";
import { BodyLacks } from "./bodies.ts";
import type { RouteFailure } from "./calls.ts";

/** What is answered in place of the handler. */
export type Refusal = {
  readonly status: number;
  /** All that is answered but the type and the length of the body. */
  readonly headers: readonly Header[];
  /** What decided; undefined where a function of the route failed. */
  readonly decision: Decision | undefined;
  readonly problem: ProblemDocument;
  /** The same as an error, for frameworks with error handlers. */
  error(): unknown;
  /** The problem as the client's `Accept` header wants it. */
  body(accept: string | undefined): Body;
};

/** A refusal must not be answered to anybody else, nor later (RFC 6585, 4). */
const NO_STORE: Header = ["Cache-Control", "no-store"];

/** What a limit or a shedder has refused. */
export function refusalOf(decision: Decision, reported: Reported): Refusal {
  return new LimitRefusal(decision, reported);
}

/** What clients receive of the limits that refused. */
type Reported = { readonly headers: readonly Header[]; readonly policies: readonly string[] };

/** The problem is made where it is asked for: a handler may answer otherwise. */
class LimitRefusal implements Refusal {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly decision: Decision;
  readonly #policies: readonly string[];

  constructor(decision: Decision, { headers, policies }: Reported) {
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

  body(accept: string | undefined): Body {
    return problemBody(this.problem, accept);
  }
}

/** Headers by their names; the last of a name. Pure. */
export function recordOf(headers: readonly Header[]): { [name: string]: string } {
  const record: { [name: string]: string } = {};
  for (const [name, value] of headers) record[name] = value;
  return record;
}

/** Milliseconds until the same request may be served; undefined where no wait helps. Pure. */
export function waitOf({
  retryAfter,
  estimatedRetryAfter = retryAfter,
}: Decision): number | undefined {
  return Number.isFinite(estimatedRetryAfter) ? estimatedRetryAfter : undefined;
}

/** The same in whole seconds, rounded up. Pure. */
export function secondsOf(decision: Decision): number | undefined {
  const wait = waitOf(decision);
  return wait === undefined ? undefined : Math.ceil(wait / 1000);
}

/** Where something took too long, it may be better in a second. */
const RETRY_SOON: Header = ["Retry-After", "1"];

/** What could not be decided, with what earlier routes have reported. Strangers learn nothing of the reason. */
export function failureRefusal(
  { timedOut, error }: RouteFailure,
  earlier: readonly Header[],
): Refusal {
  const isClients = error instanceof BodyLacks;
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

/** As frameworks know errors that are the client's. */
function badRequest(error: BodyLacks): Error {
  return Object.assign(new Error(BAD_REQUEST.detail, { cause: error.cause }), {
    status: BAD_REQUEST.status,
    statusCode: BAD_REQUEST.status,
    expose: true,
  });
}

/** Anything may be thrown. Frameworks go on where an error is undefined, or a word such as "route". Pure. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error("A function of the route threw what is no error", { cause: thrown });
}
