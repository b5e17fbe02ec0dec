/** The response to a request of HTTP/2. */
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { afterTurn } from "spillway/support";
import type { FrontResponse } from "../arrival.ts";
import { isHopByHop } from "../headers.ts";

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

/** A stream, as the proxy's other parts see responses. */
export class StreamResponse implements FrontResponse {
  readonly chunkedEncoding = true;
  statusCode = 0;
  /** Whether all of it has been handed to the connection. */
  isFinished = false;
  readonly #stream: ServerHttp2Stream;
  readonly #isHead: boolean;
  readonly #early: [string, string][] = [];
  #trailers: OutgoingHttpHeaders = {};
  #hasEnded = false;
  #written = 0;

  constructor(stream: ServerHttp2Stream, { isHead }: { readonly isHead: boolean }) {
    this.#isHead = isHead;
    this.#stream = stream;
    stream.once("wantTrailers", () => stream.sendTrailers(this.#trailers));
    stream.once("finish", () => this.#finished());
    // With a body that nobody reads on, the stream would otherwise stay until its end was read.
    stream.once("aborted", () => afterTurn(() => stream.destroy()));
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  get closed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  get destroyed(): boolean {
    return this.closed;
  }

  /** Not the stream's own, which a reset ends too. */
  get writableEnded(): boolean {
    return this.#hasEnded;
  }

  setHeader(...header: [name: string, value: string]): void {
    this.#early.push(header);
  }

  /** Changes with each part that the client has room for. */
  get sent(): number {
    return this.#written - this.#stream.writableLength;
  }

  /** Whether something of it has not left, for which the client has to read. */
  get isWaitingForClient(): boolean {
    return this.#hasEnded || this.#stream.writableLength > 0;
  }

  /** Ends it without what its client does not read. */
  cut(): void {
    this.#stream.close(NGHTTP2_CANCEL);
    // The reset may wait behind what the client does not read.
    this.#stream.destroy();
  }

  /** HTTP/2 has no text beside the status. @throws TypeError for a value that can't be sent */
  writeHead(given: number, _: string | undefined, flat: string[]): void {
    if (this.closed) return;
    // Node sends no others.
    const status = given > HIGHEST_STATUS ? 502 : given;
    this.statusCode = status;
    const headers = headersOf([...this.#early.flat(), ...flat]);
    const hasBody = !BODILESS.has(status) && !this.#isHead;
    const waitForTrailers = hasBody && headers["content-length"] === undefined;
    this.#stream.respond({ ":status": status, ...headers }, { waitForTrailers });
  }

  /** `writeHead` has sent them. */
  flushHeaders(): void {}

  writeContinue(): void {
    if (!this.closed) this.#stream.additionalHeaders({ ":status": 100 });
  }

  write(chunk: Uint8Array): boolean {
    this.#written += chunk.length;
    return this.#stream.writableEnded || this.#stream.write(chunk);
  }

  addTrailers(trailers: readonly [string, string][]): void {
    this.#trailers = headersOf(trailers.flat());
  }

  end(text?: string): void {
    this.#hasEnded = true;
    if (!this.#stream.writableEnded) this.#stream.end(text);
  }

  destroy(): void {
    this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }

  once(event: "close", call: () => void): void {
    this.#stream.once(event, call);
  }

  on(event: "drain", call: () => void): void {
    this.#stream.on(event, call);
  }

  /** A client that still sends its body need not go on (RFC 9113, 8.1). */
  #finished(): void {
    this.isFinished = this.#stream.rstCode === NGHTTP2_NO_ERROR && !this.#stream.aborted;
    if (!this.#stream.readableEnded) this.#stream.close(NGHTTP2_NO_ERROR);
  }
}

const HIGHEST_STATUS = 599;

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Characters that Node's HTTP/1 refuses in values too. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Returns headers as HTTP/2 has them: in lower case, without those of a connection, repeated ones
 * joined but for cookies, which can't be (RFC 9110, 5.3). Pure.
 */
function headersOf(flat: readonly string[]): OutgoingHttpHeaders {
  const headers: { [name: string]: string | string[] } = Object.create(null);
  for (let index = 0; index < flat.length; index += 2) {
    const [name = "", value = ""] = [flat[index]?.toLowerCase(), flat[index + 1]];
    if (UNSENDABLE.test(value)) throw new TypeError(`the header ${name} has invalid characters`);
    const before = headers[name];
    if (isHopByHop(name) || name === "http2-settings") continue;
    if (name === "set-cookie") headers[name] = [...(before ?? []), value];
    else headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}
