/** How a refusal is answered over HTTP: what servers read from an error that is thrown at them. */
import type { Decision } from "./decision.ts";

/** What is needed of a decision to say when to come back. */
type Waits = Pick<Decision, "retryAfter" | "estimatedRetryAfter">;

/** 503 where the caller has done nothing, 429 where the caller has asked too much. Pure. */
export function refusalStatus({ reason }: Pick<Decision, "reason">): 429 | 503 {
  return reason === "unavailable" || reason === "shed" ? 503 : 429;
}

/**
 * A `Retry-After` header (RFC 9110, 10.2.3): whole seconds, rounded up, so that nobody comes too
 * early. Made of the estimate where there is one; no header where no wait helps. Pure.
 */
export function refusalHeaders(waits: Waits): { readonly [name: string]: string } {
  const ms = waits.estimatedRetryAfter ?? waits.retryAfter;
  return Number.isFinite(ms) ? { "Retry-After": String(Math.ceil(ms / 1000)) } : {};
}

/** The runtime's own `Response`, where the program's types know it. */
export type HttpResponse = typeof globalThis extends { Response: { prototype: infer Response } }
  ? Response
  : object;

type Init = { readonly status: number; readonly headers: { readonly [name: string]: string } };

declare const Response: new (body: string, init: Init) => HttpResponse;

/** A response in plain text, where the runtime has `Response`. */
export function plainResponse(body: string, init: Init): HttpResponse {
  return new Response(body, init);
}
