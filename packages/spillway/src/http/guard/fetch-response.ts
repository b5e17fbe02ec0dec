/** What adapters over `Request` and `Response` share: responses, as far as they are needed, for runtimes of all makers. */
import { observed, type WebStream } from "../../internal/index.ts";
import type { HttpResponse } from "../../limits/core/index.ts";
import type { Header } from "../headers/index.ts";
import type { RequestReader } from "./client.ts";
import { type Refusal, recordOf } from "./refusal.ts";

/** A `Response`, and what is needed of it. */
export type FetchResponse = HttpResponse & {
  readonly status: number;
  readonly headers: {
    set(name: string, value: string): void;
    append(name: string, value: string): void;
    keys(): { next(): { readonly done?: boolean } };
  };
  readonly body: WebStream | null;
};

/** What a function has to return that answers with one, of any maker. */
export const A_RESPONSE = {
  what: "a Response",
  isRight: (value: unknown): boolean => {
    const { status, headers } = (value ?? {}) as Partial<FetchResponse>;
    return typeof status === "number" && typeof headers?.set === "function";
  },
};

declare const Response: new (body: WebStream | string | null, init: object) => FetchResponse;
/** A response that nobody receives, as the client has gone while the limits were asked. */
export function nobodyWaits(): FetchResponse {
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** What servers log for it; nobody receives it. */
const CLIENT_CLOSED_REQUEST = 499;

/** What is refused, and whose request it is. */
export type Refused<R> = {
  readonly request: R;
  readonly refusal: Refusal;
  /** Has the headers that others have set already; it is used up. */
  readonly earlier?: FetchResponse;
};

/** Answers a refusal. Its own headers win over earlier ones. */
export function refusalResponse<R>(
  reader: RequestReader<R>,
  { request, refusal, earlier }: Refused<R>,
): FetchResponse {
  const { contentType, text } = refusal.body(reader.header(request, "accept"));
  const body = reader.method(request) === "HEAD" ? null : text;
  const headers: readonly Header[] = [["Content-Type", contentType], ...refusal.headers];
  return new Response(body, { status: refusal.status, headers: together(headers, earlier) });
}

/** A record where it can be: `@hono/node-server` sends that as it is, at a fifth of the cost of `Headers`. */
function together(headers: readonly Header[], earlier: FetchResponse | undefined): object {
  if (earlier !== undefined && !earlier.headers.keys().next().done) {
    add(earlier, headers);
    return earlier.headers;
  }
  return recordOf(headers);
}

/**
 * Adds headers; to a copy where a response is not to be changed, as one that `fetch` has brought. What
 * can't be copied either, as a WebSocket's beginning or `Response.error()`, stays as it is.
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

/** A list of names that others have set is added to. */
function add(response: FetchResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    if (name === "Access-Control-Expose-Headers") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
}

/** The same response, which reports when its body has been read to the end, or given up. */
export function watched(response: FetchResponse, over: (finished: boolean) => void): FetchResponse {
  if (response.body === null) {
    over(true);
    return response;
  }
  return new Response(observed(response.body, { over, letsGo: false }), response);
}
