/**
 * Responses of adapters over `Request` and `Response`. The types are structural, to fit every
 * runtime.
 */
import { observed, type WebStream } from "../../internal/index.ts";
import type { HttpResponse } from "../../limits/core/index.ts";
import type { Header } from "../headers/index.ts";
import type { RequestReader } from "./client.ts";
import { type Refusal, recordOf } from "./refusal.ts";

/** The used part of a `Response`. */
export type FetchResponse = HttpResponse & {
  readonly status: number;
  readonly headers: {
    set(name: string, value: string): void;
    append(name: string, value: string): void;
    keys(): { next(): { readonly done?: boolean } };
  };
  readonly body: WebStream | null;
};

/** The check that a function has returned a response of any runtime. */
export const A_RESPONSE = {
  what: "a Response",
  isRight: (value: unknown): boolean => {
    const { status, headers } = (value ?? {}) as Partial<FetchResponse>;
    return typeof status === "number" && typeof headers?.set === "function";
  },
};

declare const Response: new (body: WebStream | string | null, init: object) => FetchResponse;
/**
 * Returns a response that is never received: the client disconnected while the limits were checked.
 */
export function nobodyWaits(): FetchResponse {
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** The status that servers log for it. */
const CLIENT_CLOSED_REQUEST = 499;

/** A refused request and its refusal. */
export type RefusedRequest<R> = {
  readonly request: R;
  readonly refusal: Refusal;
  /**
   * A response with headers that other code has already set. Its headers are reused, so it must not
   * be sent.
   */
  readonly earlier?: FetchResponse;
};

/** Creates the response to a refusal. Its own headers override earlier ones. */
export function refusalResponse<R>(
  reader: RequestReader<R>,
  { request, refusal, earlier }: RefusedRequest<R>,
): FetchResponse {
  const { contentType, text } = refusal.body(reader.header(request, "accept"));
  const body = reader.method(request) === "HEAD" ? null : text;
  const headers: readonly Header[] = [["Content-Type", contentType], ...refusal.headers];
  return new Response(body, { status: refusal.status, headers: together(headers, earlier) });
}

/**
 * Returns a record if possible. `@hono/node-server` sends it as it is, at a fifth of the cost of
 * `Headers`.
 */
function together(headers: readonly Header[], earlier: FetchResponse | undefined): object {
  if (earlier !== undefined && !earlier.headers.keys().next().done) {
    add(earlier, headers);
    return earlier.headers;
  }
  return recordOf(headers);
}

/**
 * Adds headers to a response, or to a copy if it is immutable, as responses of `fetch` are.
 *
 * A response that can't be copied stays unchanged, such as one that opens a WebSocket, or
 * `Response.error()`.
 */
export function withHeaders(response: FetchResponse, headers: readonly Header[]): FetchResponse {
  try {
    add(response, headers);
    return response;
  } catch {
    if (response.status < 200) return response;
    const copy = new Response(response.body, response);
    add(copy, headers);
    return copy;
  }
}

/** Sets headers. A list of exposed header names is extended, not replaced. */
function add(response: FetchResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    if (name === "Access-Control-Expose-Headers") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
}

/** Returns the response, and calls `over` when its body has been read to the end or abandoned. */
export function watched(response: FetchResponse, over: (finished: boolean) => void): FetchResponse {
  if (response.body === null) {
    over(true);
    return response;
  }
  return new Response(observed(response.body, { over, letsGo: false }), response);
}
