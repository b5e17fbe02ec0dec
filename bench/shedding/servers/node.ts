/** Servers of Node's own modules, without any framework. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import type { Handler } from "./handler.ts";

/** Listens on a free port of the loopback. */
export async function listenHttp(handler: Handler): Promise<number> {
  return await listening(createServer(handler));
}

/** The same without TLS over HTTP/2, and nothing else. */
export async function listenHttp2(handler: Handler): Promise<number> {
  return await listening(createHttp2Server(handler));
}

type Listener = ReturnType<typeof createServer> | ReturnType<typeof createHttp2Server>;

async function listening(server: Listener): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
