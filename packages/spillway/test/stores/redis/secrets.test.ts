/** What a client puts on its errors, commands with keys and passwords, is not printed with a store's events. */
import { inspect } from "node:util";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { StoreEvent } from "../../../src/stores/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";

const LIMITS = { search: { kind: "token bucket", rate: 9, period: "1m" } } as const;

function listening(client: Redis, deadline: number) {
  const printed: string[] = [];
  const onEvent = (event: StoreEvent) => {
    printed.push(inspect(event, { depth: 9 }), "error" in event ? JSON.stringify(event.error) : "");
  };
  const store = redisStore(client, { deadline, onEvent });
  return { limiter: new RateLimiter(LIMITS, { store }), printed };
}

test("a command that failed is printed without its keys", async () => {
  await using server = await startRedis();
  const client = new Redis(server.port, ONCE);
  const { limiter, printed } = listening(client, 20_000);
  await client.acl("SETUSER", "default", "-evalsha", "-eval");
  expect(await limiter.limit("search", { key: "ada@example.com" })).toMatchObject({ ok: false });
  expect(printed.join()).toContain("NOPERM");
  expect(printed.join()).not.toContain("ada@example.com");
  client.disconnect();
});

test("a password that was wrong is not printed with why there was no answer", async () => {
  await using server = await startRedis({ args: ["--requirepass", "right"] });
  const client = new Redis(server.port, { ...ONCE, password: "hunter2", retryStrategy: () => 10 });
  let errors = 0;
  client.on("error", () => errors++);
  const { limiter, printed } = listening(client, 300);
  await until(() => errors > 0, { what: "the client says that its password is wrong" });
  expect(await limiter.limit("search", { key: "ada" })).toMatchObject({ ok: false });
  expect(printed.join()).toContain("no answer within 1000 ms: WRONGPASS");
  expect(printed.join()).not.toContain("hunter2");
  client.disconnect();
});
