/** The Node server under the transport: what protects it from clients that mean no good. */
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { Defence } from "../../intake/index.ts";
import type { Bounds, OnAnswered } from "./bounds.ts";
import { refuseHostless } from "./broken.ts";
import { Connections } from "./connections.ts";

export type NodeServerOptions = {
  readonly bounds: Bounds;
  /** Is called each time. */
  readonly onDefence: (defence: Defence) => void;
  /** Default: nobody. */
  readonly onAnswered?: OnAnswered | undefined;
};

/** Makes a server whose connections are bounded, each and all together. */
export function nodeServer(handle: RequestListener, options: NodeServerOptions): Server {
  const { bounds, onDefence, onAnswered } = options;
  const server = createServer(settings(bounds));
  server.timeout = bounds.writeTimeout;
  // Else Node ends a connection whose client has closed its side, with no answer to what waits.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = new Connections({
    bounds,
    onDefence,
    onAnswered,
    handle: refuseHostless(handle),
  });
  server.on("connection", connections.add);
  server.on("request", connections.serve);
  // An expectation that is not known may be ignored.
  server.on("checkExpectation", connections.serve);
  server.on("clientError", (error, socket) => connections.refuse(error, socket as Socket));
  server.on("timeout", connections.expire);
  return server;
}

function settings({ requestTimeout, keepAliveTimeout }: Bounds): ServerOptions {
  return {
    // Here, not later: Node makes the time for headers of it, and takes the longer one for all.
    requestTimeout,
    connectionsCheckingInterval: Math.ceil(requestTimeout / 2),
    keepAliveTimeout,
    // An offer to go on in another protocol is declined, and the request answered as it is.
    shouldUpgradeCallback: () => false,
    // Refused here, with a body that says why.
    requireHostHeader: false,
  };
}
