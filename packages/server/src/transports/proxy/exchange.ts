/** One request on its way: sent to an upstream, and answered to its client. */
import type { Outcome } from "spillway/shedding";
import type { Dispatcher } from "undici";
import type { ClientBody, FrontResponse } from "./arrival.ts";
import { asTexts, responseHeaders } from "./headers.ts";
import { IdleBodyError, RequestBody } from "./request-body.ts";
import type { Upstream } from "./upstream.ts";
import type { Upstreams } from "./upstreams.ts";

/** A request that may go on. */
export type ExchangeParts = {
  readonly body: ClientBody;
  readonly response: FrontResponse;
  readonly method: string;
  readonly path: string;
  /** All headers for the upstream. */
  readonly headers: readonly string[];
  readonly hasBody: boolean;
  /** Further headers for the client. */
  readonly added: readonly string[];
  readonly upstreams: Upstreams;
  readonly idle: number;
  /** Called once the upstream has sent its whole response, or the beginning of one that lasts. */
  readonly onAnswered: (outcome: Outcome) => void;
  /** Called once if there is no response from upstream. */
  readonly onFailed: (failure: ExchangeFailure) => void;
};

/** Why there is no response. */
export type ExchangeFailure = {
  readonly code: "upstream-failed" | "upstream-late" | "request-timeout";
  readonly upstream: Upstream;
  readonly error: Error;
};

/** Methods whose requests may be sent again (RFC 9110, 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PUT",
  "DELETE",
]);

/** How often a request is sent at most. */
const MOST_ATTEMPTS = 3;

type Controller = Dispatcher.DispatchController;

/** Passes a response on as undici reads it. */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  #upstream: Upstream;
  #controller: Controller | undefined;
  #attempts = 0;
  #isOver = false;
  #hasDrain = false;

  /** @throws RequestError `upstream-full` */
  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    parts.upstreams.requested();
    this.#upstream = parts.upstreams.choose();
  }

  /** Sends the request. */
  begin(): void {
    this.#parts.response.once("close", () => this.#closed());
    this.#send();
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(GONE);
  }

  onResponseStart(controller: Controller, status: number, _: unknown, message = ""): void {
    // Node's client reads no interim responses, and a gateway may drop them.
    if (status < 200) return;
    this.#upstream.succeeded();
    const { response, added, onAnswered } = this.#parts;
    const headers = responseHeaders(asTexts(controller.rawHeaders), added);
    response.writeHead(status, message, headers);
    if (isEventStream(headers)) onAnswered("streaming");
    // Whoever waits for the first event of a stream sees that it is open.
    if (!hasLength(headers)) response.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const { response } = this.#parts;
    if (response.write(chunk)) return;
    controller.pause();
    if (this.#hasDrain) return;
    this.#hasDrain = true;
    response.on("drain", () => this.#controller?.resume());
  }

  onResponseEnd(controller: Controller): void {
    this.#leave();
    this.#answered();
    const { response } = this.#parts;
    const trailers = asTexts(controller.rawTrailers);
    if (trailers.length > 0 && response.chunkedEncoding) response.addTrailers(pairs(trailers));
    response.end();
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#isOver) return;
    const { response, upstreams } = this.#parts;
    // A reset of the client may end its body before its response is closed.
    const isClients = error instanceof IdleBodyError || response.closed;
    if (!isClients && !response.headersSent) this.#upstream.failed();
    this.#leave();
    if (isBodiless(response, error)) {
      this.#answered();
      response.end();
    } else if (response.headersSent) response.destroy();
    else if (!isClients && this.#mayRepeat(error) && upstreams.mayRetry()) this.#again(error);
    else this.#fail(error);
  }

  #send(): void {
    const { method, path, headers, hasBody, idle } = this.#parts;
    this.#attempts++;
    this.#isOver = false;
    this.#upstream.inFlight++;
    const body = hasBody ? new RequestBody(this.#parts.body, idle) : null;
    const options = { method: method as Dispatcher.HttpMethod, path, headers: [...headers], body };
    this.#upstream.pool.dispatch(options, this);
  }

  #again(error: Error): void {
    try {
      this.#upstream = this.#parts.upstreams.choose(this.#upstream);
    } catch {
      this.#fail(error);
      return;
    }
    this.#send();
  }

  /** A late response would be late again, and add to what a server that hangs has to do. */
  #mayRepeat(error: Error): boolean {
    if (isLateResponse(error)) return false;
    const { method, hasBody, response } = this.#parts;
    if (hasBody || response.closed || this.#attempts >= MOST_ATTEMPTS) return false;
    return IDEMPOTENT.has(method);
  }

  #fail(error: Error): void {
    this.#parts.onFailed({ code: codeOf(error), upstream: this.#upstream, error });
  }

  /** How long an error takes, or a client that reads slowly, does not say how long work takes. */
  #answered(): void {
    const { response, onAnswered } = this.#parts;
    onAnswered(response.statusCode < 500 && !this.#hasDrain ? "served" : "failed");
  }

  /** Ends the part of the upstream, once. */
  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#upstream.inFlight--;
  }

  /** The client has its response, or has gone: then the upstream need not go on. */
  #closed(): void {
    if (this.#isOver) return;
    this.#leave();
    this.#controller?.abort(GONE);
  }
}

/** A 304 may have the length of what it stands for; undici misses that many bytes. */
function isBodiless({ headersSent, statusCode }: FrontResponse, error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return headersSent && statusCode === 304 && code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
}

const GONE = new Error("the client has gone");

function isLateResponse({ code }: Error & { readonly code?: string }): boolean {
  return code === "UND_ERR_HEADERS_TIMEOUT";
}

const LATE = /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/;

function codeOf(error: Error & { readonly code?: string }): ExchangeFailure["code"] {
  if (error instanceof IdleBodyError) return "request-timeout";
  return LATE.test(error.code ?? "") ? "upstream-late" : "upstream-failed";
}

function hasLength(headers: readonly string[]): boolean {
  return valueIn(headers, "content-length") !== undefined;
}

/** Server-sent events last as long as their client stays. */
function isEventStream(headers: readonly string[]): boolean {
  return /^text\/event-stream\b/i.test(valueIn(headers, "content-type") ?? "");
}

function valueIn(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) return headers[index + 1];
  }
  return undefined;
}

function pairs(flat: readonly string[]): [string, string][] {
  const all: [string, string][] = [];
  for (let index = 0; index < flat.length; index += 2) {
    all.push([flat[index] as string, flat[index + 1] as string]);
  }
  return all;
}
