/** A server of connections, bare or under limits: says its port, and then its CPU time whenever it is asked. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RateLimiter } from "spillway";
import { limitConnections } from "spillway/sockets";

const FAR = 1_000_000;

const limiter = new RateLimiter({
  connects: { kind: "token bucket", rate: FAR, period: "1s" },
  connections: { kind: "concurrency", capacity: FAR, ttl: "10m" },
  none: { kind: "token bucket", rate: 1, period: "1h", capacity: 0 },
});

const server = createServer((_, response) => response.end("hello"));
const both = { limits: [{ limit: "connects" }, { limit: "connections" }] } as const;
const ways: { readonly [way: string]: () => void } = {
  bare: () => {},
  rate: () => limitConnections(server, limiter, { limit: "connects" }),
  lease: () => limitConnections(server, limiter, both),
  refusing: () => limitConnections(server, limiter, { limit: "none" }),
};
ways[process.argv[2] ?? "bare"]?.();

server.listen({ port: 0, host: "127.0.0.1", backlog: 1024 }, () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
