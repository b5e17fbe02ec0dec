/**
 * The connections of HTTP/2 in front of the proxy, and their streams: bounds both.
 *
 * Node itself disconnects clients that reset streams, or send settings, pings or broken frames,
 * without end. It admits at most eight continuations of a head.
 */
import {
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import { elapsed } from "spillway/support";
import type { Closing, ConnectionBounds, OnAnswered } from "../../http-api/index.ts";
import type { Defence } from "../../intake/index.ts";
import type { ArrivedRequest } from "../arrival.ts";
import { ClosingSession } from "./closing-session.ts";
import { streamArrival } from "./stream-arrival.ts";
import { LONGEST_HEADERS } from "./stream-head.ts";

export type SessionsOptions = {
  readonly bounds: ConnectionBounds;
  readonly handle: (arrival: ArrivedRequest) => void;
  readonly onDefence: (defence: Defence) => void;
  readonly onAnswered: OnAnswered | undefined;
};

/** The most requests at once on one connection. */
const STREAMS = 100;

const LIMITS: ServerOptions = {
  // Node resets a stream with longer headers; up to there, the client reads why it is refused.
  settings: { maxConcurrentStreams: STREAMS, maxHeaderListSize: 2 * LONGEST_HEADERS },
  // Browsers send each cookie as a field of its own.
  maxHeaderListPairs: 256,
  maxSessionInvalidFrames: 100,
};

const { NGHTTP2_FLAG_END_STREAM, NGHTTP2_REFUSED_STREAM } = constants;

type StreamEvent = [
  stream: ServerHttp2Stream,
  headers: unknown,
  flags: number,
  rawHeaders: readonly string[],
];

export class Http2Sessions {
  readonly #options: SessionsOptions;
  /** Never listens: connections come from the server of HTTPS. */
  readonly #server: Http2Server = createServer(LIMITS);
  readonly #open = new Map<Socket, ServerHttp2Session>();
  readonly #closing = new WeakMap<ServerHttp2Session, ClosingSession>();
  #streams = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#server.on("sessionError", () => {});
  }

  /** The number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Serves a connection whose client has chosen HTTP/2. */
  serve(socket: Socket): void {
    this.#server.once("session", (session) => this.#begin(session, socket));
    this.#server.emit("connection", socket);
  }

  /** How a connection ends when the server stops; undefined if it is not one of HTTP/2. */
  closingOf(socket: Socket): Closing | undefined {
    const session = this.#open.get(socket);
    return session && this.#closing.get(session);
  }

  #begin(session: ServerHttp2Session, socket: Socket): void {
    const { requestTimeout, keepAliveTimeout, maxRequestsPerConnection } = this.#options.bounds;
    const onCut = () => this.#options.onDefence("reader-cut");
    const closing = new ClosingSession({ session, socket, bounds: this.#options.bounds, onCut });
    const peer = socket.remoteAddress ?? "unknown";
    let begun = 0;
    this.#open.set(socket, session);
    this.#closing.set(session, closing);
    socket.once("close", () => this.#open.delete(socket));
    session.on("error", () => {});
    // Each time: a callback of `setTimeout` would be called once only.
    session.on("timeout", () => closing.closeIfIdle());
    session.setTimeout(requestTimeout);
    session.once("remoteSettings", () => session.setTimeout(keepAliveTimeout));
    session.on("stream", (...[stream, , flags, rawHeaders]: StreamEvent) => {
      stream.on("error", () => {});
      if (++begun === maxRequestsPerConnection) closing.announce();
      const hasEnded = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#arrived(streamArrival(stream, { peer, rawHeaders, hasEnded }), { closing, stream });
    });
  }

  #arrived(arrival: ReturnType<typeof streamArrival>, { closing, stream }: Place): void {
    const { bounds, handle } = this.#options;
    if (this.#streams >= bounds.maxPipelined) {
      this.#options.onDefence("stream-refused");
      // The client knows by it that nothing was done, and may send the request again.
      stream.close(NGHTTP2_REFUSED_STREAM);
      return;
    }
    this.#streams++;
    stream.once("close", () => this.#streams--);
    this.#report(arrival, stream);
    closing.add(arrival.response);
    handle(arrival);
  }

  #report({ response, path }: ReturnType<typeof streamArrival>, stream: ServerHttp2Stream): void {
    const { onAnswered } = this.#options;
    if (onAnswered === undefined) return;
    const since = elapsed();
    stream.once("close", () => {
      const status = response.isFinished ? response.statusCode : "gone";
      onAnswered({ path, status, ms: elapsed() - since });
    });
  }
}

type Place = { readonly closing: ClosingSession; readonly stream: ServerHttp2Stream };
