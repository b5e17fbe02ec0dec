/** A process that serves connections under limits in Redis, until it is killed. */
import { once } from "node:events";
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { RateLimiter } from "../../src/limiter/index.ts";
import { limitConnections } from "../../src/sockets/index.ts";
import { redisStore } from "../../src/stores/redis/index.ts";
import { CONNECTIONS } from "./leases.ts";

const { redis } = JSON.parse(process.argv[2] ?? "{}");
// A busy machine is no reason to refuse a connection.
const store = redisStore(new Redis(redis), { deadline: 10_000 });
const limiter = new RateLimiter(CONNECTIONS, { store });
const server = createServer((socket) => socket.write("hello"));
limitConnections(server, limiter, { limit: "connections" });
server.listen(0, "127.0.0.1");
await once(server, "listening");
console.log(JSON.stringify(server.address()));
