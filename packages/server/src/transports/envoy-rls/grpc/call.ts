/** One gRPC call: a message comes in, a message or a status goes out. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { afterDelay, elapsed } from "spillway/core";
import type { OnRequest, RequestTrace } from "../../../service/index.ts";
import { framed, frameIn, MessageReader, messageIn } from "./message-frame.ts";
import type { Overdue, Unread } from "./overdue.ts";
import { encodedMessage, GrpcError, nameOf, STATUS, type StatusCode } from "./status.ts";
import { timeoutOf } from "./timeout.ts";

/** Answers a message by a message. @throws GrpcError */
export type Method = (message: Buffer) => Uint8Array | Promise<Uint8Array>;

export type CallOptions = {
  /** The longest message, in bytes. */
  readonly longest: number;
  /** Receives mistakes of the service's own. */
  readonly warn: (message: string) => void;
  /** Receives calls that have their answer. Default: nobody. */
  readonly onAnswered?: OnCallAnswered | undefined;
  /** Makes traces. Default: none. */
  readonly onRequest?: OnRequest | undefined;
};

/** Receives the path of a call, the name of its status, and how many milliseconds it took. */
export type OnCallAnswered = (answered: {
  readonly path: string;
  readonly status: string;
  readonly ms: number;
}) => void;

/** What all calls of a server share. */
export type Calls = CallOptions & {
  /** Who sees to it that messages arrive. */
  readonly overdue: Overdue;
};

const TYPE = "application/grpc";
const OK_HEADERS = { ":status": 200, "content-type": TYPE };
const OK_TRAILERS = { "grpc-status": "0" };
const WITH_TRAILERS = { waitForTrailers: true };
const ACCEPTED = { "grpc-accept-encoding": "identity,gzip" };

/**
 * A call on its stream. There are tens of thousands a second: what most of them don't need, such as
 * listeners for what else may happen to a stream, is made when it is known to be needed.
 */
export class Call implements Unread {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #method: Method;
  readonly #calls: Calls;
  /** What has come of a message that came in parts. */
  #reader: MessageReader | undefined;
  readonly #since: number;
  #trace: RequestTrace | undefined;
  #isReported = false;
  /** Whether the message is there, or there is nothing more to wait for. */
  isRead = false;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    method: Method,
    calls: Calls,
  ) {
    this.#stream = stream;
    this.#headers = headers;
    this.#method = method;
    this.#calls = calls;
    this.#since = calls.onAnswered === undefined ? 0 : elapsed();
    stream.on("data", (part: Buffer) => this.#receive(part));
    calls.overdue.watch(this);
  }

  /** Is called where the message did not come with the call. */
  wait(): void {
    const stream = this.#stream;
    if (stream.closed || stream.destroyed) this.#read();
    else if (stream.readableEnded) this.#end();
    else {
      stream.on("close", () => this.#read());
      stream.on("end", () => this.#end());
    }
  }

  /** Ends the call without an answer. */
  fail(error: unknown): void {
    this.#read();
    const known = error instanceof GrpcError ? error : this.#unexpected(error);
    failStream(this.#stream, known);
    this.#report(known.status);
  }

  #receive(part: Buffer): void {
    if (this.isRead) return;
    try {
      const frame = this.#frameWith(part);
      if (frame !== undefined) this.#begin(frame);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The frame, where this part completes it: mostly it is all of it. */
  #frameWith(part: Buffer): Buffer | undefined {
    const { longest } = this.#calls;
    if (this.#reader === undefined) {
      const frame = frameIn(part, longest);
      if (frame !== undefined) return frame;
      this.#reader = new MessageReader(longest);
    }
    return this.#reader.add(part);
  }

  #read(): void {
    if (this.isRead) return;
    this.isRead = true;
    this.#calls.overdue.read(this);
  }

  #end(): void {
    if (this.isRead) return;
    this.fail(new GrpcError(STATUS.INTERNAL, "the call ended before its message did"));
  }

  /** What comes after the message is not read: a call has one. */
  #begin(frame: Buffer): void {
    this.#read();
    const encoding = this.#headers["grpc-encoding"] as string | undefined;
    const message = messageIn(frame, { encoding, longest: this.#calls.longest });
    const method = this.#calls.onRequest === undefined ? this.#method : this.#traced();
    const answer = message instanceof Promise ? message.then(method) : method(message);
    if (answer instanceof Promise) this.#await(answer);
    else this.#answer(answer);
  }

  #traced(): Method {
    const headers = this.#headers;
    const name = headers[":path"] ?? "";
    const trace = this.#calls.onRequest?.({ transport: "grpc", name, headers });
    this.#trace = trace;
    return trace === undefined ? this.#method : (message) => trace.run(() => this.#method(message));
  }

  /** A call that has had its deadline may be answered all the same, to nobody. */
  #report(status: StatusCode): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#trace?.end(nameOf(status));
    const { onAnswered } = this.#calls;
    if (onAnswered === undefined) return;
    const path = this.#headers[":path"] ?? "";
    onAnswered({ path, status: nameOf(status), ms: elapsed() - this.#since });
  }

  #await(answer: Promise<Uint8Array>): void {
    const timeout = timeoutOf(this.#headers["grpc-timeout"]);
    const late = new GrpcError(STATUS.DEADLINE_EXCEEDED, "the store took longer than the deadline");
    const cancel = timeout === undefined ? () => {} : afterDelay(timeout, () => this.fail(late));
    answer.then(
      (bytes) => {
        cancel();
        this.#answer(bytes);
      },
      (error: unknown) => {
        cancel();
        this.fail(error);
      },
    );
  }

  #answer(message: Uint8Array): void {
    const stream = this.#stream;
    this.#report(STATUS.OK);
    if (!canRespond(stream)) return;
    stream.on("wantTrailers", sendOk);
    stream.respond(OK_HEADERS, WITH_TRAILERS);
    stream.end(framed(message.length, (bytes, offset) => bytes.set(message, offset)));
  }

  #unexpected(error: unknown): GrpcError {
    this.#calls.warn(`a call failed: ${(error as Error)?.stack ?? error}`);
    return new GrpcError(STATUS.INTERNAL, "something went wrong here; the request is not at fault");
  }
}

function sendOk(this: ServerHttp2Stream): void {
  this.sendTrailers(OK_TRAILERS);
}

/**
 * Whether an answer can begin. What a client resets, or leaves with its connection, is closed some time
 * before it is destroyed, and says "end" in between.
 */
export function canRespond(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.headersSent;
}

/** Ends a stream by a status alone. What its client still sends is not waited for. */
export function failStream(
  stream: ServerHttp2Stream,
  { status, message, headers }: GrpcError,
): void {
  if (!canRespond(stream)) return;
  const trailers = { "grpc-status": String(status), "grpc-message": encodedMessage(message) };
  stream.respond({ ...OK_HEADERS, ...ACCEPTED, ...headers, ...trailers }, { endStream: true });
  stream.resume();
  if (!stream.readableEnded) stream.close();
}

/** Whether a request is gRPC: its content type says so, with a suffix or without. Pure. */
export function isGrpc({ "content-type": type = "" }: IncomingHttpHeaders): boolean {
  return type === TYPE || type.startsWith(`${TYPE}+`) || type.startsWith(`${TYPE};`);
}

/** How a client's compression is dealt with. @throws GrpcError where it isn't known */
export function checkEncoding({ "grpc-encoding": encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || encoding === "identity" || encoding === "gzip") return;
  throw new GrpcError(STATUS.UNIMPLEMENTED, "only gzip is known as grpc-encoding");
}
