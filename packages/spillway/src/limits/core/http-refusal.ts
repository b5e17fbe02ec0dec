/**
 * Answers a refusal over HTTP, with the fields that servers read from an error thrown in a handler.
 */
import type { Decision } from "./decision.ts";

/** The fields of a decision that determine the wait. */
type RetryTimes = Pick<Decision, "retryAfter" | "estimatedRetryAfter">;

/** Returns 503 if the caller is not at fault, else 429. Pure. */
export function refusalStatus({ reason }: Pick<Decision, "reason">): 429 | 503 {
  return reason === "unavailable" || reason === "shed" ? 503 : 429;
}

/**
 * Returns a `Retry-After` header (RFC 9110, 10.2.3): whole seconds, rounded up, so that no client
 * returns too early. Uses the estimate if there is one; no header if no wait helps. Pure.
 */
export function refusalHeaders(waits: RetryTimes): { readonly [name: string]: string } {
  const ms = waits.estimatedRetryAfter ?? waits.retryAfter;
  return Number.isFinite(ms) ? { "Retry-After": String(Math.ceil(ms / 1000)) } : {};
}

/** The runtime's own `Response`, if the program's types have it. */
export type HttpResponse = typeof globalThis extends { Response: { prototype: infer Response } }
  ? Response
  : object;

type HttpResponseInit = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
};

declare const Response: new (body: string, init: HttpResponseInit) => HttpResponse;

/** Creates a response in plain text, if the runtime has `Response`. */
export function plainResponse(body: string, init: HttpResponseInit): HttpResponse {
  return new Response(body, init);
}
