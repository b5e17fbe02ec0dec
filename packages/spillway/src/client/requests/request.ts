/**
 * What `fetch` was called with, read once: where it goes, whether it may go twice, who waits for
 * it.
 */
import type { ReadableHeaders } from "../../http/advice/index.ts";
import { type StopSignal, safeSignal } from "../../internal/index.ts";

/** What is read of the second argument of `fetch`. */
export type Init = {
  readonly method?: string | undefined;
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly signal?: StopSignal | null | undefined;
};

/** What is read of the first, where it is a `Request`. */
export type RequestLike = Init & {
  readonly url: string;
  readonly headers: ReadableHeaders;
  readonly bodyUsed?: boolean;
  clone(): RequestLike;
};

/** A request, as a client sees it. */
export type ClientRequest = {
  /** In upper case. */
  readonly method: string;
  readonly body: unknown;
  /** Returns a header's value. `name` is in lower case. */
  header(name: string): string | undefined;
  readonly url: string;
  /** Scheme, host and port, as in `response.url`; "" where the address has none. */
  readonly origin: string;
  readonly signal: StopSignal | undefined;
};

/** Reads the arguments of `fetch`. Pure. */
export function readRequest(input: unknown, init: Init = {}): ClientRequest {
  const request = isRequest(input) ? input : undefined;
  const url = request?.url ?? String(input);
  const headers = init.headers ?? request?.headers;
  return {
    url,
    origin: originOf(url),
    method: (init.method ?? request?.method ?? "GET").toUpperCase(),
    // A Request keeps its body for as long as it is cloned before it is used.
    body: init.body ?? undefined,
    signal: signalOf(init.signal === undefined ? request?.signal : init.signal),
    header: headerReader(headers),
  };
}

function signalOf(signal: StopSignal | null | undefined): StopSignal | undefined {
  return signal === undefined || signal === null ? undefined : safeSignal(signal);
}

/** Whether it is a `Request`, which is used up by being sent. */
export function isRequest(input: unknown): input is RequestLike {
  const { url, clone } = (input ?? {}) as Partial<RequestLike>;
  return typeof url === "string" && typeof clone === "function";
}

declare const Request: (new (url: string, init: Init) => unknown) | undefined;

/**
 * Whether the runtime makes a request of it: not where a header has a line break, or a GET a body.
 */
export function isRequestable(input: unknown, init: Init): boolean {
  if (typeof Request !== "function") return true;
  // A stream would be read by it, and a signal listened to.
  const { body, signal: _, ...rest } = init;
  const again = canBeSentAgain({ body }) ? { body } : {};
  try {
    new Request(isRequest(input) ? input.url : String(input), { ...rest, ...again } as Init);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where Node's `fetch` refuses to go on: the host has answered, or was never asked. Other runtimes
 * don't say.
 */
const REFUSALS = new Set<unknown>([
  "redirect count exceeded",
  "unexpected redirect",
  "bad port",
  "unknown scheme",
  "URL scheme must be a HTTP(S) scheme",
]);

/** Whether it was the runtime that gave up a request, and no network or host that failed. */
export function isOwnRefusal(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly message?: unknown } };
  return REFUSALS.has(cause?.message);
}

declare const URL: new (
  url: string,
  base?: string,
) => { readonly origin: string; readonly protocol: string; readonly host: string };
declare const location: { readonly href: string } | undefined;

/** Pure, but that an address without a host is on that of the page. */
export function originOf(url: string): string {
  const page = typeof location === "object" ? location?.href : undefined;
  try {
    const { origin, protocol, host } = new URL(url, page);
    // Schemes that no browser knows have no origin, but may have a host all the same.
    if (origin !== "null") return origin;
    return host === "" ? "" : `${protocol}//${host}`;
  } catch {
    return "";
  }
}

/** Reads headers: `Headers`, pairs, or an object. What has to be listed is listed once. */
export function headerReader(headers: unknown): (name: string) => string | undefined {
  let listed: ReadonlyMap<string, string> | undefined;
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    // Of several with one name, the first.
    listed ??= new Map(headersOf(headers).reverse());
    return listed.get(name);
  };
}

/** A `Map` has names as they were written. */
function isHeaders(headers: unknown): headers is ReadableHeaders {
  const { get } = (headers ?? {}) as Partial<ReadableHeaders>;
  return typeof get === "function" && !(headers instanceof Map);
}

/**
 * All of them, with names in lower case, as they are listed. Pure.
 *
 * undici's lists may be flat, name after value, and of bytes.
 */
export function headersOf(headers: unknown): (readonly [name: string, value: string])[] {
  if (typeof headers !== "object" || headers === null) return [];
  return pairsOf(headers)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [fieldText(name).toLowerCase(), fieldText(value)]);
}

type HeaderPair = readonly [name: unknown, value: unknown];

function pairsOf(headers: object): readonly HeaderPair[] {
  if (isFlat(headers)) {
    const names = headers.filter((_, index) => index % 2 === 0);
    return names.map((name, index) => [name, headers[2 * index + 1]]);
  }
  const isPairs = typeof (headers as Iterable<unknown>)[Symbol.iterator] === "function";
  return isPairs ? [...(headers as Iterable<HeaderPair>)] : Object.entries(headers);
}

function isFlat(headers: object): headers is readonly unknown[] {
  return Array.isArray(headers) && headers.length > 0 && !Array.isArray(headers[0]);
}

/** Bytes of a header are characters of Latin-1. */
function fieldText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  let text = "";
  for (const byte of value) text += String.fromCharCode(byte);
  return text;
}

/** Methods that have the same effect however often they are carried out (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** Whether a request has the same effect if it is carried out twice. */
export function isIdempotent({
  method,
  header,
}: Pick<ClientRequest, "method" | "header">): boolean {
  return IDEMPOTENT.has(method) || (header("idempotency-key") ?? "") !== "";
}

/**
 * Whether a body is there for a second time: streams are not, nor is what can't be distinguished
 * from one.
 */
export function canBeSentAgain({ body }: Pick<ClientRequest, "body">): boolean {
  if (body === undefined || body === null || typeof body === "string") return true;
  if (typeof body !== "object") return false;
  return ArrayBuffer.isView(body) || KEPT.has(Object.prototype.toString.call(body));
}

const KEPT = new Set(
  ["ArrayBuffer", "SharedArrayBuffer", "Blob", "File", "FormData", "URLSearchParams"].map(
    (name) => `[object ${name}]`,
  ),
);
