/** The Node server under the door: what protects it from clients that mean no good. */
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { afterTurn } from "spillway/core";
import type { Bounds, Defence } from "./bounds.ts";
import { endBroken, refuseHostless } from "./broken.ts";
import { Connection, type Shared } from "./connection.ts";

export type NodeServerOptions = {
  readonly bounds: Bounds;
  /** Is called for each time. */
  readonly onDefence: (defence: Defence) => void;
};

/** Makes a server whose connections are bounded, each and all together. */
export function nodeServer(handle: RequestListener, options: NodeServerOptions): Server {
  const { bounds, onDefence } = options;
  const server = createServer(settings(bounds));
  server.maxConnections = bounds.maxConnections;
  server.timeout = bounds.writeTimeout;
  serveInTurn(server, handle, options);
  server.on("drop", () => onDefence("connection-refused"));
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

function serveInTurn(server: Server, handle: RequestListener, options: NodeServerOptions): void {
  const { bounds, onDefence } = options;
  const shared: Shared = {
    handle: refuseHostless(handle),
    maxRequests: bounds.maxRequestsPerConnection,
    waiting: 0,
    isResting: false,
  };
  const connections = new Map<Socket, Connection>();
  const cut = (socket: Socket, defence: Defence) => {
    onDefence(defence);
    socket.destroy();
  };
  const rest = (isResting: boolean) => {
    shared.isResting = isResting;
    for (const connection of connections.values()) connection.readOn();
    if (isResting) afterTurn(() => rest(false));
  };
  const serve: RequestListener = (request, response) => {
    const { socket } = request;
    // Node goes through all that it has read, even when it is of no use any more.
    if (socket.destroyed) return;
    connections.get(socket)?.add({ request, response });
    if (shared.waiting <= bounds.maxPipelined) return;
    cut(socket, "pipeline-cut");
    if (!shared.isResting) rest(true);
  };
  server.on("connection", (socket) => {
    connections.set(socket, new Connection(socket, shared));
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", serve);
  // An expectation that is not known may be ignored.
  server.on("checkExpectation", serve);
  server.on("clientError", (error, socket) =>
    endBroken(error, socket as Socket, {
      connection: connections.get(socket as Socket),
      requestTimeout: bounds.requestTimeout,
    }),
  );
  server.on("timeout", (socket) => {
    if (connections.get(socket)?.isWorking) return;
    if (socket.writableLength > 0) cut(socket, "reader-cut");
    else socket.destroy();
  });
}
