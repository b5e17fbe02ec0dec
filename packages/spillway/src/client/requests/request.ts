/**
 * Reads the arguments of `fetch` once: where the request goes, whether it may be sent twice, and
 * its signal.
 */
import type { ReadableHeaders } from "../../http/advice/index.ts";
import { type StopSignal, safeSignal } from "../../internal/index.ts";

/** The parts of the second argument of `fetch` that are used. */
export type FetchInit = {
  readonly method?: string | undefined;
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly signal?: StopSignal | null | undefined;
};

/** The parts of the first argument that are used, if it is a `Request`. */
export type RequestLike = FetchInit & {
  readonly url: string;
  readonly headers: ReadableHeaders;
  readonly bodyUsed?: boolean;
  clone(): RequestLike;
};

/** A request, as a client sees it. */
export type ClientRequest = {
  /** The method, in upper case. */
  readonly method: string;
  readonly body: unknown;
  /** Returns a header's value. `name` is in lower case. */
  header(name: string): string | undefined;
  readonly url: string;
  /** Scheme, host and port, as in `response.url`; "" if the URL has none. */
  readonly origin: string;
  readonly signal: StopSignal | undefined;
};

/** Reads the arguments of `fetch`. Pure. */
export function readRequest(input: unknown, init: FetchInit = {}): ClientRequest {
  const request = isRequest(input) ? input : undefined;
  const url = request?.url ?? String(input);
  const headers = init.headers ?? request?.headers;
  return {
    url,
    origin: originOf(url),
    method: (init.method ?? request?.method ?? "GET").toUpperCase(),
    // The body of a `Request` can be sent again, because the `Request` is cloned before each use.
    body: init.body ?? undefined,
    signal: signalOf(init.signal === undefined ? request?.signal : init.signal),
    header: headerReader(headers),
  };
}

function signalOf(signal: StopSignal | null | undefined): StopSignal | undefined {
  return signal === undefined || signal === null ? undefined : safeSignal(signal);
}

/** Returns whether an input is a `Request`, which can be sent only once. */
export function isRequest(input: unknown): input is RequestLike {
  const { url, clone } = (input ?? {}) as Partial<RequestLike>;
  return typeof url === "string" && typeof clone === "function";
}

declare const Request: (new (url: string, init: FetchInit) => unknown) | undefined;

/**
 * Returns whether the runtime accepts the arguments. It refuses a header with a line break, for
 * example, or a GET with a body.
 */
export function isRequestable(input: unknown, init: FetchInit): boolean {
  if (typeof Request !== "function") return true;
  // Left out: the constructor would lock a stream, and listen to a signal.
  const { body, signal: _, ...rest } = init;
  const again = canBeSentAgain({ body }) ? { body } : {};
  try {
    new Request(isRequest(input) ? input.url : String(input), { ...rest, ...again } as FetchInit);
    return true;
  } catch {
    return false;
  }
}

/**
 * Errors with which Node's `fetch` itself gives up: the host has answered, or was never called.
 * Other runtimes do not report this.
 */
const REFUSALS = new Set<unknown>([
  "redirect count exceeded",
  "unexpected redirect",
  "bad port",
  "unknown scheme",
  "URL scheme must be a HTTP(S) scheme",
]);

/**
 * Returns whether the runtime itself gave up a request, and neither the network nor the host
 * failed.
 */
export function isOwnRefusal(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly message?: unknown } };
  return REFUSALS.has(cause?.message);
}

declare const URL: new (
  url: string,
  base?: string,
) => { readonly origin: string; readonly protocol: string; readonly host: string };
declare const location: { readonly href: string } | undefined;

/**
 * Returns the origin of a URL; "" if it has none. Pure, except that a relative URL is resolved
 * against the page's.
 */
export function originOf(url: string): string {
  const page = typeof location === "object" ? location?.href : undefined;
  try {
    const { origin, protocol, host } = new URL(url, page);
    // Schemes that are unknown to browsers have no origin, but may have a host.
    if (origin !== "null") return origin;
    return host === "" ? "" : `${protocol}//${host}`;
  } catch {
    return "";
  }
}

/**
 * Returns a function that reads a header of `Headers`, pairs, or an object. Pairs and objects are
 * listed once.
 */
export function headerReader(headers: unknown): (name: string) => string | undefined {
  let listed: ReadonlyMap<string, string> | undefined;
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    // If several headers have one name, the first counts.
    listed ??= new Map(headersOf(headers).reverse());
    return listed.get(name);
  };
}

/** Returns whether headers can look up names in any case. A `Map` cannot. */
function isHeaders(headers: unknown): headers is ReadableHeaders {
  const { get } = (headers ?? {}) as Partial<ReadableHeaders>;
  return typeof get === "function" && !(headers instanceof Map);
}

/**
 * Returns all headers in their order, with names in lower case. Pure.
 *
 * Lists of undici may be flat, with each name before its value, and may contain bytes.
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

/** Returns the text of a header. Bytes are characters of Latin-1. */
function fieldText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  let text = "";
  for (const byte of value) text += String.fromCharCode(byte);
  return text;
}

/** Methods that have the same effect if they are carried out several times (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** Returns whether a request has the same effect if it is carried out twice. */
export function isIdempotent({
  method,
  header,
}: Pick<ClientRequest, "method" | "header">): boolean {
  return IDEMPOTENT.has(method) || (header("idempotency-key") ?? "") !== "";
}

/**
 * Returns whether a body can be sent a second time. Streams cannot, nor can anything that may be a
 * stream.
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
