/** The Node server in front of the proxy, protected against hostile clients. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  type ConnectionBounds,
  connectionEvent,
  HttpConnections,
  type OnAnswered,
  type OnClosed,
} from "../http-api/index.ts";
import type { Defence } from "../intake/index.ts";

/** A certificate and its key, in PEM. */
export type FrontTls = { readonly cert: Buffer; readonly key: Buffer };

export type FrontOptions = {
  readonly bounds: ConnectionBounds;
  readonly tls: FrontTls | undefined;
  readonly handle: RequestListener;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly onDefence: (defence: Defence) => void;
  readonly onAnswered: OnAnswered | undefined;
  readonly onClosed: OnClosed;
};

/** Creates the server. `tls` makes it one of HTTPS. */
export function frontServer({ bounds, tls, upgrade, ...options }: FrontOptions): Server {
  const settings = settingsOf(bounds);
  const server =
    tls === undefined ? createServer(settings) : createTlsServer({ ...settings, ...tls });
  server.timeout = bounds.writeTimeout;
  // Clients that go close their side, often without a reset: this server then closes too, or an
  // abandoned request would stay in flight.
  const connections = new HttpConnections({ bounds, ...options });
  server.on(connectionEvent(server), connections.add);
  server.on("request", connections.serve);
  // The body is asked for once the request is admitted.
  server.on("checkContinue", connections.serve);
  server.on("checkExpectation", connections.serve);
  server.on("upgrade", upgrade);
  server.on("clientError", (error, socket) => connections.refuse(error, socket as Socket));
  server.on("timeout", connections.expire);
  return server;
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

/** Whether a request asks for a WebSocket. */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && /^websocket$/i.test(headers.upgrade ?? "");
}
