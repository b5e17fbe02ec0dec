/** A Redis of a test file's own, which is empty before each test. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";

/** Starts it before the first test, and stops it after the last one. @param opened Receives its client. */
export function ownRedis(opened: (client: Redis) => void): void {
  let server: RedisNode;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port, ONCE);
    opened(client);
  });
  beforeEach(() => client.flushall());
  afterAll(async () => {
    client.disconnect();
    await server[Symbol.asyncDispose]();
  });
}

/** The commands that the server of a client carries out, those of scripts among them. */
export async function monitored(client: Redis) {
  const monitor = await client.monitor();
  const seen: string[][] = [];
  monitor.on("monitor", (_time: string, command: string[]) => seen.push(command));
  return {
    /** Those since the last time. */
    async take(): Promise<readonly string[][]> {
      await client.echo("end");
      await until(() => seen.at(-1)?.[1] === "end", { what: "the monitor shows the last command" });
      return seen.splice(0);
    },
    async [Symbol.asyncDispose]() {
      monitor.disconnect();
    },
  };
}
