/** What `fetch` was called with, read once: where it goes, whether it may go twice, who waits for it. */
import type { ReadableHeaders } from "./advice/advice.ts";
import type { ClientSignal, Init, RequestLike } from "./contracts.ts";
import type { Repeatable } from "./retry/repeatable.ts";

/** A request, as a client sees it. */
export type ClientRequest = Repeatable & {
  readonly url: string;
  /** Scheme, host and port in lower case; "" where the address is relative. */
  readonly origin: string;
  readonly signal: ClientSignal | undefined;
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
    signal: (init.signal === undefined ? request?.signal : init.signal) ?? undefined,
    header: (name) => headerOf(headers, name),
  };
}

/** Whether it is a `Request`, which is used up by being sent. */
export function isRequest(input: unknown): input is RequestLike {
  const { url, clone } = (input ?? {}) as Partial<RequestLike>;
  return typeof url === "string" && typeof clone === "function";
}

const ORIGIN = /^([a-z][a-z\d+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#]*)/i;

/** Pure. */
export function originOf(url: string): string {
  const [whole, scheme = "", host = ""] = ORIGIN.exec(url.trim()) ?? [];
  if (whole === undefined) return "";
  const port = scheme.toLowerCase() === "https:" ? /:443$/ : /:80$/;
  return `${scheme}//${host.replace(port, "")}`.toLowerCase();
}

/** From `Headers`, from pairs, or from an object. Pure. */
export function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (typeof (headers as ReadableHeaders).get === "function") {
    return (headers as ReadableHeaders).get(name) ?? undefined;
  }
  const isPairs = typeof (headers as Iterable<unknown>)[Symbol.iterator] === "function";
  const pairs = isPairs ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  const found = pairs.find(([each]) => String(each).toLowerCase() === name);
  return found?.[1] === undefined ? undefined : String(found[1]);
}
