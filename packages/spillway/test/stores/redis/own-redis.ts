/** A Redis of a test file's own, which is empty before each test. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { ONCE } from "./clients.ts";

/** Starts it before the first test, and stops it after the last one. @param opened Receives its client. */
export function ownRedis(opened: (client: Redis) => void): void {
  let server: RedisNode;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port, ONCE);
    opened(client);
  }, 30_000);
  beforeEach(() => client.flushall());
  afterAll(async () => {
    client.disconnect();
    await server[Symbol.asyncDispose]();
  });
}
