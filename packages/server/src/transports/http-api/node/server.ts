/** The Node server under the transport, protected against hostile clients. */
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { Defence } from "../../intake/index.ts";
import type { ConnectionBounds, OnAnswered, OnClosed } from "./bounds.ts";
import { refuseHostless } from "./broken.ts";
import { HttpConnections } from "./connections.ts";

export type NodeServerOptions = {
  readonly bounds: ConnectionBounds;
  /** Called for each connection that is refused or cut. */
  readonly onDefence: (defence: Defence) => void;
  /** Default: none. */
  readonly onAnswered?: OnAnswered | undefined;
  /** Default: none. */
  readonly onClosed?: OnClosed | undefined;
};

/** Creates a server whose connections are bounded, each and all together. */
export function nodeServer(handle: RequestListener, options: NodeServerOptions): Server {
  const { bounds, onDefence, onAnswered, onClosed } = options;
  const server = createServer(settings(bounds));
  server.timeout = bounds.writeTimeout;
  // Otherwise Node ends a connection whose client has closed its side, without the pending
  // responses.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = new HttpConnections({
    bounds,
    onDefence,
    onAnswered,
    onClosed,
    handle: refuseHostless(handle),
  });
  server.on("connection", connections.add);
  server.on("request", connections.serve);
  // HTTP allows a server to ignore an unknown `Expect` header.
  server.on("checkExpectation", connections.serve);
  server.on("clientError", (error, socket) => connections.refuse(error, socket as Socket));
  server.on("timeout", connections.expire);
  return server;
}

function settings({ requestTimeout, keepAliveTimeout }: ConnectionBounds): ServerOptions {
  return {
    // Set here, because Node derives the time for headers from it, and uses the longer one for
    // everything.
    requestTimeout,
    connectionsCheckingInterval: Math.ceil(requestTimeout / 2),
    keepAliveTimeout,
    // Requests to upgrade are ignored, and answered as normal requests.
    shouldUpgradeCallback: () => false,
    // Refused by the transport, with a body that explains it.
    requireHostHeader: false,
  };
}
