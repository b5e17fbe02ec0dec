/** Writes the answers that the proxy gives by itself, and the headers that it adds to others. */
import type { Decision } from "spillway";
import { problemBody, problemOf, refusalHeaders, refusalStatus } from "spillway/http";
import type { LimitResponse, RequestError } from "../../service/index.ts";
import { refusedPolicies, statusHeaders } from "../asking/index.ts";
import { PROBLEM_TYPE, problemJson } from "../http-api/index.ts";
import type { FrontResponse, Wishes } from "./arrival.ts";

/** Returns the headers that say what is left, names and values in turn. */
export function limitHeaders(
  response: LimitResponse | undefined,
  { origin }: Wishes,
): readonly string[] {
  const headers = response === undefined ? [] : statusHeaders(response);
  if (headers.length === 0) return NONE;
  const flat = headers.flat();
  return origin === undefined ? flat : [...flat, ...EXPOSED];
}

const NONE: readonly string[] = [];

/** Pages of other origins read no other headers. */
const EXPOSED = ["Access-Control-Expose-Headers", "Retry-After, RateLimit-Policy, RateLimit"];

/** Answers a request that limits refuse. */
export function sendRefusal(raw: FrontResponse, response: LimitResponse, wishes: Wishes): void {
  const { joint: decision } = response;
  if (decision === undefined) return;
  const policies = refusedPolicies(response);
  refuse(raw, { decision, policies, limits: limitHeaders(response, wishes) }, wishes);
}

/** Answers a request that the shedder refuses. */
export function sendShed(raw: FrontResponse, decision: Decision, wishes: Wishes): void {
  refuse(raw, { decision, policies: NONE, limits: NONE }, wishes);
}

type Refusal = {
  readonly decision: Pick<Decision, "reason" | "retryAfter" | "estimatedRetryAfter">;
  /** The names of the limits that refused. */
  readonly policies: readonly string[];
  /** Headers that say what is left. */
  readonly limits: readonly string[];
};

function refuse(raw: FrontResponse, refusal: Refusal, { accept, origin }: Wishes): void {
  const { decision, policies, limits } = refusal;
  const { reason, retryAfter, estimatedRetryAfter: wait = retryAfter } = decision;
  const seconds = Number.isFinite(wait) ? Math.ceil(wait / 1000) : undefined;
  const problem = problemOf({ reason, retryAfter: seconds, policies });
  const { contentType, text } = problemBody(problem, accept);
  const flat = Object.entries(refusalHeaders(decision)).flat();
  const exposed = origin !== undefined && limits.length === 0 ? EXPOSED : NONE;
  const headers = [...flat, ...limits, ...exposed, "Cache-Control", "no-store"];
  send(raw, { status: refusalStatus(decision), headers, contentType, text });
}

/** Answers with an error, if nothing has been answered yet; else ends the connection. */
export function sendError(raw: FrontResponse, error: RequestError): void {
  if (raw.headersSent) {
    raw.destroy();
    return;
  }
  // After such a request, it is not sure where the next one begins.
  if (error.status === 400 || error.status === 408) raw.setHeader("connection", "close");
  const headers = Object.entries(error.headers).flat();
  const text = JSON.stringify(problemJson(error));
  send(raw, { status: error.status, headers, contentType: PROBLEM_TYPE, text });
}

type Answer = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly contentType: string;
  readonly text: string;
};

function send(raw: FrontResponse, { status, headers, contentType, text }: Answer): void {
  const length = String(Buffer.byteLength(text));
  raw.writeHead(status, undefined, [
    ...headers,
    "Content-Type",
    contentType,
    "Content-Length",
    length,
  ]);
  raw.end(text);
}
