/**
 * A server of unary gRPC calls, directly on HTTP/2.
 *
 * All resources that clients can use are bounded: connections, their streams, headers, the bytes of
 * each message and of all messages, unread answers, and the duration of messages and handshakes.
 * Node itself disconnects clients that reset streams endlessly.
 */
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import { type HeldBytes, MessageScheduler } from "../../intake/index.ts";
import type { Outlet } from "./answer.ts";
import {
  type Calls,
  canRespond,
  checkEncoding,
  failStream,
  GrpcCall,
  type GrpcCallOptions,
  isGrpc,
  type Method,
} from "./call.ts";
import type { MessageIntake } from "./call-message.ts";
import { isClientName, isMadeOutTo } from "./client-name.ts";
import { Overdue } from "./overdue.ts";
import { type SessionOptions, Sessions } from "./sessions.ts";
import { type SocketOptions, Sockets } from "./sockets.ts";
import { GrpcError, STATUS } from "./status.ts";
import { Unpacking } from "./unpacking.ts";

/** Methods by their path, such as `/grpc.health.v1.Health/Check`. */
export type Methods = ReadonlyMap<string, Method>;

export type GrpcServerOptions = GrpcCallOptions &
  SessionOptions &
  SocketOptions & {
    /** The longest message, in bytes. */
    readonly longest: number;
    /** Bounds the bytes that messages of all connections hold. */
    readonly held: HeldBytes;
    /** Certificates, if clients must connect by TLS. */
    readonly tls?: TlsOptions | undefined;
    /**
     * A DNS name or an IP address that the certificates of clients need, in addition to an
     * authority. Default: any.
     */
    readonly clientName?: string | undefined;
    /**
     * Called for each connection that is closed because its certificate has another name. Default:
     * none.
     */
    readonly onWrongClient?: (() => void) | undefined;
  };

export type TlsOptions = {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** The authorities of clients' certificates. Without them clients need no certificate. */
  readonly ca?: Buffer | undefined;
};

/** A server of gRPC calls. */
export type GrpcServer = {
  readonly server: Http2Server | Http2SecureServer;
  /** Uses other certificates for new connections. @throws Error if they don't fit */
  readonly setTls: (tls: TlsOptions) => void;
  /** Refuses new calls, waits for those under way, and stops. */
  readonly close: () => Promise<void>;
};

/** The longest headers of a call, in characters of names and values. */
const LONGEST_HEADERS = 16_384;

const LIMITS: ServerOptions = {
  // Clients are informed of the size; Node itself admits four times as much.
  settings: { maxConcurrentStreams: 1000, maxHeaderListSize: LONGEST_HEADERS },
  maxHeaderListPairs: 64,
  maxSessionInvalidFrames: 100,
};

/** Creates a server; `server.listen` opens it. */
export function grpcServer(methods: Methods, options: GrpcServerOptions): GrpcServer {
  const { tls } = options;
  const server = tls ? createSecureServer({ ...LIMITS, ...secure(tls) }) : createServer(LIMITS);
  admitClients(server, options);
  const sockets = new Sockets(server, options);
  const sessions = new Sessions(server, options);
  const intake = intakeOf(options);
  const outlet = outletOf(options);
  const { warn, onAnswered, onRequest } = options;
  const calls = { warn, onAnswered, onRequest, methods, intake, outlet };
  server.on("stream", (...[stream, headers, , rawHeaders]: StreamEvent) => {
    stream.on("error", ignore);
    if (isTooLong(rawHeaders)) refuse(stream, 431);
    else answer(stream, headers, calls);
  });
  server.on("sessionError", ignore);
  return {
    server,
    setTls: (changed) => {
      // Without authorities of its own, Node would accept certificates of all well-known ones.
      if ((changed.ca === undefined) !== (tls?.ca === undefined)) {
        throw new Error(
          "The requirement for client certificates can't change while the server " +
            "runs; restart it",
        );
      }
      (server as Http2SecureServer).setSecureContext(secure(changed));
    },
    close: async () => {
      sockets.close();
      await sessions.close();
      intake.overdue.close();
      outlet.overdue.close();
    },
  };
}

function intakeOf({ longest, held, onDefence }: GrpcServerOptions): MessageIntake {
  const onDropped = () => onDefence("message-dropped");
  const [overdue, unpacking, turns] = [new Overdue(), new Unpacking(), new MessageScheduler()];
  return { longest, held, overdue, unpacking, turns, onDropped };
}

function outletOf({ held, onDefence }: GrpcServerOptions): Outlet {
  return { held, overdue: new Overdue(), onCut: () => onDefence("reader-cut") };
}

type StreamEvent = [
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: readonly string[],
];

/** Closes connections whose certificate was issued to another name, before any call. */
function admitClients(
  server: Http2Server | Http2SecureServer,
  { clientName: name, onWrongClient }: GrpcServerOptions,
): void {
  if (name === undefined) return;
  if (!isClientName(name))
    throw new TypeError("clientName is neither a DNS name nor an IP address");
  server.on("session", (session) => {
    const certificate = (session.socket as TLSSocket).getPeerX509Certificate?.();
    if (isMadeOutTo(name, certificate)) return;
    session.destroy();
    onWrongClient?.();
  });
}

/** Errors of a stream are caused by its client. */
function ignore(): void {}

function secure({ key, cert, ca }: TlsOptions) {
  const clients = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
  return { key, cert, ...clients, minVersion: "TLSv1.2" as const };
}

type GrpcCallContext = Calls & { readonly methods: Methods };

function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  calls: GrpcCallContext,
): void {
  if (headers[":method"] !== "POST" || !isGrpc(headers)) {
    refuse(stream, 415);
    return;
  }
  const path = headers[":path"] ?? "";
  const method = calls.methods.get(path);
  try {
    if (method === undefined) {
      throw new GrpcError(STATUS.UNIMPLEMENTED, `there is no method ${path}`);
    }
    checkEncoding(headers);
    new GrpcCall(stream, headers, method, calls);
  } catch (error) {
    failStream(stream, error as GrpcError);
  }
}

/** A request that is not gRPC receives a status of HTTP. */
function refuse(stream: ServerHttp2Stream, status: number): void {
  if (!canRespond(stream)) return;
  stream.respond({ ":status": status }, { endStream: true });
  stream.resume();
  if (!stream.readableEnded) stream.close();
}

function isTooLong(rawHeaders: readonly string[]): boolean {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  return length > LONGEST_HEADERS;
}
