/** A unary gRPC call: reads one message, answers with a message or a status. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { afterDelay, elapsed } from "spillway/support";
import type { OnRequest, RequestTrace } from "../../../service/index.ts";
import { shownStack } from "../../intake/index.ts";
import { type Outlet, PendingResponse } from "./answer.ts";
import { CallMessage, type MessageIntake, type MessageReceiver } from "./call-message.ts";
import { framed } from "./message-frame.ts";
import { encodedMessage, GrpcError, nameOf, STATUS, type StatusCode } from "./status.ts";
import { timeoutOf } from "./timeout.ts";

/** Answers a message with a message. @throws GrpcError */
export type Method = (message: Buffer) => Uint8Array | Promise<Uint8Array>;

export type GrpcCallOptions = {
  /** Receives errors of the service itself. */
  readonly warn: (message: string) => void;
  /** Called after each answer. Default: none. */
  readonly onAnswered?: OnCallAnswered | undefined;
  /** Creates traces. Default: none. */
  readonly onRequest?: OnRequest | undefined;
};

/** Receives the path of a call, the name of its status, and its duration in milliseconds. */
export type OnCallAnswered = (answered: {
  readonly path: string;
  readonly status: string;
  readonly ms: number;
}) => void;

/** The parts that all calls of a server share. */
export type Calls = GrpcCallOptions & { readonly intake: MessageIntake; readonly outlet: Outlet };

const TYPE = "application/grpc";
const OK_HEADERS = { ":status": 200, "content-type": TYPE };
const OK_TRAILERS = { "grpc-status": "0" };
const WITH_TRAILERS = { waitForTrailers: true };
const ACCEPTED = { "grpc-accept-encoding": "identity,gzip" };

/**
 * A call on its stream. There are tens of thousands a second, so what most calls don't need is
 * created on demand.
 */
export class GrpcCall implements MessageReceiver {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #method: Method;
  readonly #calls: Calls;
  readonly #since: number;
  #trace: RequestTrace | undefined;
  #isReported = false;
  #cancelTimeout: (() => void) | undefined;

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
    new CallMessage(stream, headers, this, calls.intake);
  }

  /** Answers the message. */
  decide(message: Buffer): void {
    try {
      const method = this.#calls.onRequest === undefined ? this.#method : this.#traced();
      const answer = method(message);
      if (answer instanceof Promise) this.#await(answer);
      else this.#answer(answer);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the call with an error status. */
  fail(error: unknown): void {
    const known = error instanceof GrpcError ? error : this.#unexpected(error);
    failStream(this.#stream, known);
    this.#report(known.status);
  }

  #traced(): Method {
    const headers = this.#headers;
    const name = headers[":path"] ?? "";
    const trace = this.#calls.onRequest?.({ transport: "grpc", name, headers });
    this.#trace = trace;
    return trace === undefined ? this.#method : (message) => trace.run(() => this.#method(message));
  }

  /** A call that has timed out may still be answered later. That answer is not reported. */
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
    if (timeout !== undefined) this.#cancelTimeout = afterDelay(timeout, () => this.fail(late()));
    answer.then(
      (bytes) => {
        this.#cancelTimeout?.();
        this.#answer(bytes);
      },
      (error: unknown) => {
        this.#cancelTimeout?.();
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
    const frame = framed(message.length, (bytes, offset) => bytes.set(message, offset));
    stream.end(frame);
    new PendingResponse(stream, frame.length, this.#calls.outlet);
  }

  #unexpected(error: unknown): GrpcError {
    this.#calls.warn(`a call failed: ${shownStack(error)}`);
    return new GrpcError(
      STATUS.INTERNAL,
      "an internal error occurred; the request is not the cause",
    );
  }
}

// Created on demand, because an error captures its stack.
function late(): GrpcError {
  return new GrpcError(STATUS.DEADLINE_EXCEEDED, "the store took longer than the deadline");
}

function sendOk(this: ServerHttp2Stream): void {
  this.sendTrailers(OK_TRAILERS);
}

/**
 * Whether an answer can begin. A stream that the client has reset, or whose connection is gone, is
 * closed before it is destroyed, and emits "end" in between.
 */
export function canRespond(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.headersSent;
}

/** Ends a stream with a status alone, without waiting for the rest of the request. */
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

/** Whether a request is gRPC, by its content type, with or without a suffix. Pure. */
export function isGrpc({ "content-type": type = "" }: IncomingHttpHeaders): boolean {
  return type === TYPE || type.startsWith(`${TYPE}+`) || type.startsWith(`${TYPE};`);
}

/** Checks the client's compression. @throws GrpcError if it is unknown */
export function checkEncoding({ "grpc-encoding": encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || encoding === "identity" || encoding === "gzip") return;
  throw new GrpcError(STATUS.UNIMPLEMENTED, "expected gzip or identity as grpc-encoding");
}
