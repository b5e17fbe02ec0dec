/** The Node server in front of the proxy, protected against hostile clients. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import {
  type Closing,
  ClosingConnection,
  type ConnectionBounds,
  HttpConnections,
  type OnAnswered,
  type OnClosed,
} from "../http-api/index.ts";
import { connectionEvent, type Defence } from "../intake/index.ts";
import { type ArrivedRequest, isWebSocket } from "./arrival.ts";
import { Http2Sessions } from "./http2/sessions.ts";

/** A certificate and its key, in PEM. */
export type FrontTls = { readonly cert: Buffer; readonly key: Buffer };

export type FrontOptions = {
  readonly bounds: ConnectionBounds;
  readonly tls: FrontTls | undefined;
  /** Whether clients may choose HTTP/2. Without TLS they can't. */
  readonly http2: boolean;
  readonly http1: RequestListener;
  readonly http2Arrived: (arrival: ArrivedRequest) => void;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly onDefence: (defence: Defence) => void;
  readonly onAnswered: OnAnswered | undefined;
  readonly onClosed: OnClosed;
};

export type Front = {
  readonly server: Server;
  /** How a connection ends when the server stops. */
  readonly closingOf: (socket: Socket) => Closing;
};

/** Creates the server. `tls` makes it one of HTTPS. */
export function frontServer({ bounds, tls, http2, upgrade, ...options }: FrontOptions): Front {
  const settings = settingsOf(bounds);
  const protocols = { ALPNProtocols: http2 ? ["h2", "http/1.1"] : ["http/1.1"] };
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...protocols, ...tls });
  server.timeout = bounds.writeTimeout;
  const sessions = new Http2Sessions({ ...options, bounds, handle: options.http2Arrived });
  const others = () => sessions.size;
  // Clients that go close their side, often without a reset: this server then closes too, or an
  // abandoned request would stay in flight.
  const connections = new HttpConnections({ ...options, bounds, handle: options.http1, others });
  server.on(connectionEvent(server), connections.add);
  if (tls !== undefined && http2) divert(server, { sessions, connections });
  server.on("request", connections.serve);
  // The body is asked for once the request is admitted.
  server.on("checkContinue", connections.serve);
  server.on("checkExpectation", connections.serve);
  server.on("upgrade", upgrade);
  server.on("clientError", (error, socket) => connections.refuse(error, socket as Socket));
  server.on("timeout", connections.expire);
  const closingOf = (socket: Socket) => sessions.closingOf(socket) ?? new ClosingConnection(socket);
  return { server, closingOf };
}

type Connected = { readonly sessions: Http2Sessions; readonly connections: HttpConnections };

/**
 * Passes connections whose clients have chosen HTTP/2 to its sessions, and all others to the
 * server's own listeners: HTTP/1 stays under all of its bounds, which Node's server of both
 * versions has in part.
 */
function divert(server: Server, { sessions, connections }: Connected): void {
  const own = server.listeners("secureConnection");
  server.removeAllListeners("secureConnection");
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol !== "h2") for (const listen of own) listen.call(server, socket);
    else if (connections.admits(socket)) sessions.serve(socket);
  });
}

/** How long a TLS handshake may take, in milliseconds. */
const HANDSHAKE_TIMEOUT = 10_000;

function settingsOf({ requestTimeout, keepAliveTimeout }: ConnectionBounds): ServerOptions {
  const settings = {
    // Bodies may take long, as long as something comes.
    requestTimeout: 0,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.ceil(requestTimeout / 2),
    keepAliveTimeout,
    handshakeTimeout: HANDSHAKE_TIMEOUT,
    // Other upgrades, such as that to HTTP/2 without TLS, are ignored. Older versions of Node
    // can't.
    shouldUpgradeCallback: isWebSocket,
    // The proxy checks hosts itself.
    requireHostHeader: false,
  };
  return settings;
}
