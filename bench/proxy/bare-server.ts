/** Run as a process of its own: a server of Node alone, which answers by itself. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";

const [kind = "", cert = "", key = ""] = process.argv.slice(2);

/** As the proxy's: connections stay open until all are. */
const keepAliveTimeout = 72_000;

function start(): Server {
  if (kind === "HTTP") {
    return createServer({ keepAliveTimeout }, (_, response) => response.end("hello, world"));
  }
  const tls = { cert: readFileSync(cert), key: readFileSync(key) };
  if (kind === "HTTPS") {
    const options = { ...tls, keepAliveTimeout };
    return createTlsServer(options, (_, response) => response.end("hello, world"));
  }
  return createSecureServer(tls, (_, response) => response.end("hello, world"));
}

const server = start();
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Listening on http://127.0.0.1:${port}. `);
});
