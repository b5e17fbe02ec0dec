/** Classifies a request, takes from its limits, and answers for a client. */
import { STATUS_CODES } from "node:http";
import { type Header, problemBody, problemOf, refusalHeaders, refusalStatus } from "spillway/http";
import { chain, type MaybePromise } from "spillway/support";
import type { NormalRequest } from "../../rules/index.ts";
import type { Classifier, LimitResponse, RequestError, Service } from "../../service/index.ts";
import { checkEnds, sectionOf } from "./section.ts";
import { refusedPolicies, statusHeaders } from "./status-headers.ts";

/** The answer to a client. */
export type AskedAnswer = {
  /** The status; 200 if the request is admitted. */
  readonly status: number;
  readonly headers: readonly Header[];
  /** The body of a refusal. */
  readonly body: { readonly contentType: string; readonly text: string } | undefined;
  /** The decision; undefined if no limit was asked. */
  readonly response: LimitResponse | undefined;
};

type AskOptions = {
  readonly service: Service;
  readonly classified: Classifier;
  readonly domain: string | undefined;
  readonly request: NormalRequest;
  /** Returns what a client accepts, of a repeated header all values joined. */
  readonly accept: () => string | undefined;
};

const ADMITTED: AskedAnswer = { status: 200, headers: [], body: undefined, response: undefined };

/**
 * Takes from every limit of a request, or from none.
 *
 * @throws RequestError, or rejects with one, if it can't be classified, or meets a concurrency
 * limit
 */
export function askFirst(options: AskOptions): MaybePromise<AskedAnswer> {
  const { service, classified, domain, request, accept } = options;
  const section = sectionOf(service, domain);
  return chain(classified(section.items, request), (descriptors) => {
    checkEnds(section, descriptors);
    if (descriptors.length === 0) return ADMITTED;
    const asked = { domain: section.domain, descriptors };
    return chain(service.limit(asked), (response) => answerOf(response, accept));
  });
}

function answerOf(response: LimitResponse, accept: AskOptions["accept"]): AskedAnswer {
  const shown = statusHeaders(response);
  const { joint } = response;
  if (joint === undefined || joint.ok) return { ...ADMITTED, headers: shown, response };
  const { reason, retryAfter } = joint;
  const seconds = Number.isFinite(retryAfter) ? Math.ceil(retryAfter / 1000) : undefined;
  const policies = refusedPolicies(response);
  const body = problemBody(problemOf({ reason, retryAfter: seconds, policies }), accept());
  const headers = [...shown, ...Object.entries(refusalHeaders(joint)), NO_STORE];
  return { status: refusalStatus(joint), headers, body, response };
}

const NO_STORE: Header = ["cache-control", "no-store"];

/** Returns the answer to a request that can't be classified. Pure. */
export function problemAnswer({ status, code, message, headers, more }: RequestError): AskedAnswer {
  const title = STATUS_CODES[status];
  const problem = { type: "about:blank", title, status, detail: message, code, ...more };
  const body = { contentType: "application/problem+json", text: JSON.stringify(problem) };
  return { status, headers: [...Object.entries(headers), NO_STORE], body, response: undefined };
}
