/** Run as a process of its own: an upstream, or a bare proxy in front of one; reports its port. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import replyFrom from "@fastify/reply-from";
import { fastify } from "fastify";
import { bareProxy } from "./bare.ts";

const [way, to = ""] = process.argv.slice(2);

async function start(): Promise<Server> {
  if (way === "upstream") {
    const server = createServer((_, response) => response.end("hello, world"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }
  if (way === "bare") {
    const server = bareProxy(to);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }
  const app = fastify();
  await app.register(replyFrom, { base: to, undici: { connections: 1000, pipelining: 1 } });
  app.all("/*", (request, reply) => reply.from(request.url));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app.server;
}

process.send?.(((await start()).address() as AddressInfo).port);
process.on("disconnect", () => process.exit());
