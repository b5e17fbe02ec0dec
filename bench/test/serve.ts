/** A server that answers as a test says, over either protocol. */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { ClientKind } from "../shedding/clients/index.ts";

/** What a test may do with a request. */
export type Reply = {
  answer(status: number): void;
  /** Begins an answer that doesn't end. */
  begin(): void;
  /** When it is over, or nobody waits for it any longer. */
  readonly closed: Promise<unknown>;
  /** Breaks the connection, or the stream. */
  abort(): void;
};

type Request = Pick<IncomingMessage, "url" | "headers">;
type Handler = (request: Request, reply: Reply) => void;

/** A server that listens. */
type Serving = AsyncDisposable & {
  readonly port: number;
  /** Connections that there were so far. */
  connections(): number;
  /** When so many of them have been closed. */
  closed(count: number): Promise<void>;
};

/** Serves whoever speaks as these clients do, on a free port. */
export async function serve(clients: ClientKind, handler: Handler): Promise<Serving> {
  const listener = (request: Request, response: ServerResponse | Http2ServerResponse) =>
    handler(request, replyOf(response));
  const isHttp2 = clients.startsWith("http2");
  const server = isHttp2 ? createHttp2Server(listener) : createServer(listener);
  const sockets = new Set<Socket>();
  const events = new EventEmitter();
  let closed = 0;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => events.emit("closed", ++closed));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    async closed(count) {
      while (closed < count) await once(events, "closed");
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function replyOf(response: ServerResponse | Http2ServerResponse): Reply {
  return {
    closed: once(response, "close"),
    answer(status) {
      response.statusCode = status;
      response.end("ok");
    },
    begin() {
      const body: NodeJS.WritableStream = response;
      body.write("some of it");
    },
    abort: () => ("stream" in response ? response.stream.close(2) : response.socket?.destroy()),
  };
}
