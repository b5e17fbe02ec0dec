import { Cluster, Redis } from "ioredis";
import { describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import {
  type RedisClient,
  type RedisStoreOptions,
  redisStore,
} from "../../../src/stores/redis/index.ts";
import { command } from "../../servers/command.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { startSentinel } from "../../servers/sentinel.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";

const LIMITS = { it: { kind: "token bucket", rate: 5, period: "1h" } } as const;

test("ioredis as it comes is warned of, for it sends again what may have been done", () => {
  const warn = vi.fn();
  redisStore(new Redis({ lazyConnect: true }), { warn });
  redisStore(new Cluster([{ port: 1 }], { lazyConnect: true }), { warn });
  expect(warn).toHaveBeenCalledTimes(2);
  expect(warn.mock.calls[0]?.[0]).toContain("autoResendUnfulfilledCommands: false");
  redisStore(client, { warn });
  redisStore(client, { warn });
  redisStore(new Cluster([{ port: 1 }], { lazyConnect: true, ...ONCE }), { warn });
  expect(warn).toHaveBeenCalledTimes(2);
});

test("ioredis goes on with database 0 where there is none of a number, which is said once", async () => {
  await using node = await startRedis();
  const absent = new Redis(node.port, { db: 99, ...ONCE });
  using _closing = { [Symbol.dispose]: () => absent.disconnect() };
  const warn = vi.fn();
  redisStore(absent, { warn });
  await until(() => Promise.resolve(warn.mock.calls.length > 0), { what: "it is said" });
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining("could not select database 99 and uses database 0: ERR DB index"),
  );
});

test("servers behind Sentinel that write without a replica are warned of, others are not", async () => {
  await using group = await startSentinel();
  const [{ port }] = group.nodes as [RedisNode];
  const sentinels = group.ports.map((each) => ({ host: "127.0.0.1", port: each }));
  const open = () => new Redis({ sentinels, name: group.name, ...ONCE });
  for (const settings of [[], ["min-replicas-to-write", 1, "min-replicas-max-lag", 2]]) {
    if (settings.length > 0) await command(port, "CONFIG", "SET", ...settings);
    const watched = open();
    using _closing = { [Symbol.dispose]: () => watched.disconnect() };
    const warn = vi.fn();
    const limiter = new RateLimiter(LIMITS, {
      store: redisStore(watched, { warn, deadline: 30_000 }),
    });
    const isAnswered = async () => !(await limiter.limit("it")).degraded;
    await until(isAnswered, { what: "it is connected, and was looked at before" });
    await watched.info("replication");
    const said = warn.mock.calls.filter(([text]) => text.includes("min-replicas-to-write 1"));
    expect(said).toHaveLength(settings.length > 0 ? 0 : 1);
    if (settings.length === 0) expect(said[0]?.[0]).toContain("failoverDetector: true");
  }
});

const client = new Redis({ lazyConnect: true, ...ONCE });

describe("a redis store is refused", () => {
  test.each([
    ["a URL", "redis://127.0.0.1"],
    ["nothing", undefined],
    ["options", { host: "127.0.0.1", port: 6379 }],
    ["a client of something else", { query() {} }],
  ])("on %s", (_, given) => {
    const make = () => redisStore(given as unknown as RedisClient);
    expect(make).toThrow(expect.objectContaining({ code: "bad-client", field: "client" }));
  });

  test("on a cluster's client that does not know its slots", () => {
    const blind = Object.assign(Object.create(client), { isCluster: true });
    const error = { code: "bad-client", field: "client.slots" };
    expect(() => redisStore(blind)).toThrow(expect.objectContaining(error));
  });

  test("on a client whose own prefix would move keys to other slots", () => {
    const prefixed = new Redis({ lazyConnect: true, keyPrefix: "{a}" });
    expect(() => redisStore(prefixed)).toThrow(expect.objectContaining({ code: "bad-client" }));
  });

  const wrong: readonly [string, RedisStoreOptions, string][] = [
    ["an empty prefix", { prefix: "" }, "bad-option"],
    ["a prefix with a brace", { prefix: "a{b" }, "bad-option"],
    ["a prefix with a space", { prefix: "a b" }, "bad-option"],
    ["a prefix that is very long", { prefix: "a".repeat(65) }, "bad-option"],
    ["a tag that is no function", { tag: "org" as never }, "bad-option"],
    ["a clock that is no function", { clock: 5 as never }, "bad-clock"],
    ["a clock beyond what keys have room for", { clock: () => 2 ** 45 }, "bad-clock"],
    ["warnings that go nowhere", { warn: 5 as never }, "bad-option"],
    ["a deadline of 0", { deadline: 0 }, "bad-option"],
    ["half an instance", { instances: 0.5 }, "bad-option"],
    ["no failures", { breaker: { failures: 0 } }, "bad-option"],
    ["a pause that is none", { breaker: { pause: Number.NaN } }, "bad-option"],
    ["refusals that never age", { denialCache: { maxAge: Infinity } }, "bad-option"],
    ["a listener that is none", { onEvent: true as never }, "bad-option"],
    ["an option that is misspelt", { dedline: 5 } as RedisStoreOptions, "unknown-field"],
    ["a breaker that is misspelt", { breaker: { failure: 5 } as never }, "unknown-field"],
    ["refusals that are misspelt", { denialCache: { max: 5 } as never }, "unknown-field"],
  ];
  test.each(wrong)("with %s", (_, options, code) => {
    expect(() => redisStore(client, options)).toThrow(expect.objectContaining({ code }));
  });
});
