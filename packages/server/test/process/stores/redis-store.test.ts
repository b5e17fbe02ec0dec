import { describe, expect, it } from "vitest";
import { redisBinary } from "../../../../spillway/test/servers/binary.ts";
import { command, commands, textFrom } from "../../../../spillway/test/servers/command.ts";
import { startCluster } from "../../../../spillway/test/servers/redis-cluster.ts";
import { type RedisNode, startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { startSentinel } from "../../../../spillway/test/servers/sentinel.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { startService } from "../../support/service-process.ts";
import { ask, requestOf, serveYearly, YEARLY } from "../../support/yearly.ts";

// Processes are slow to start on a busy machine.

/** A busy machine is no outage. */
const PATIENT = ["--deadline", "30000"];

describe.concurrent("services with one store", () => {
  it("share one budget, to the unit", async () => {
    await using redis = await startRedis();
    const env = { SPILLWAY_STORE: redis.url };
    await using one = await serveYearly(redis.url, PATIENT);
    await using other = await startService({ rules: YEARLY, args: PATIENT, env });
    const asked = Array.from({ length: 150 }, (_, index) => ask(index % 2 === 0 ? one : other));
    const replies = await Promise.all(asked);
    const taken = replies.filter(({ status }) => status === 200).map(({ body }) => body.remaining);
    expect(taken.toSorted((a, b) => Number(b) - Number(a))).toEqual(
      Array.from({ length: 100 }, (_, index) => 99 - index),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(50);
    expect((await one.post("/v1/reset", requestOf("ann"))).status).toBe(200);
    expect((await ask(other)).body.remaining).toBe(99);
  });

  it("are lent units by it, and give back what they hold when they end", async () => {
    await using redis = await startRedis();
    const rules = YEARLY.replace("100 }", "1000, share: 1h }");
    const begin = () => startService({ rules, store: redis.url, args: PATIENT });
    await using one = await begin();
    await using other = await begin();
    const leftFor = async (service: typeof one) =>
      (await service.post("/v1/check", requestOf("ann"))).body.remaining;
    let asked = 0;
    // What one of them holds, the other does not have. On a busy machine it is soon given back.
    do {
      for (const service of [one, other]) expect((await ask(service)).status).toBe(200);
      asked += 2;
    } while (asked < 40 || Number(await leftFor(other)) >= 1000 - asked);
    expect(await one.stop()).toBe(0);
    expect(await other.stop()).toBe(0);
    await using last = await begin();
    expect(await leftFor(last)).toBe(999 - asked);
  });

  it("may be nodes of a cluster", async () => {
    await using cluster = await startCluster({ replicas: 0 });
    const hosts = cluster.ports.map((port) => `127.0.0.1:${port}`);
    await using one = await serveYearly(`redis+cluster://${hosts[0]}`, PATIENT);
    await using other = await serveYearly(`redis+cluster://${hosts.join(",")}`, PATIENT);
    const users = Array.from({ length: 20 }, (_, number) => `user ${number}`);
    for (const [service, remaining] of [
      [one, 99],
      [other, 98],
    ] as const) {
      const replies = await Promise.all(users.map((user) => ask(service, { user })));
      expect(replies.map(({ body }) => body.remaining)).toEqual(users.map(() => remaining));
    }
    expect(await one.health()).toBe("200 OK");
    expect(await one.stop()).toBe(0);
    expect(one.warnings).toEqual([]);
  });

  it("leaves the old master of a planned failover while that still calls itself a master", async () => {
    await using group = await startSentinel();
    const [, heir] = group.nodes as [RedisNode, RedisNode];
    const [sentinel = 0] = group.ports;
    // The old master is made a replica after four of these periods: never.
    const { major } = await redisBinary();
    if (major >= 7) await command(sentinel, "SENTINEL", "DEBUG", "PUBLISH-PERIOD", 3_600_000);
    await using service = await serveYearly(
      `redis+sentinel://127.0.0.1:${sentinel}/${group.name}`,
      PATIENT,
    );
    expect((await ask(service)).body.remaining).toBe(99);
    await command(sentinel, "SENTINEL", "FAILOVER", group.name);
    const led = async () => (await textFrom(heir.port, "CLIENT", "LIST")).includes("name=spillway");
    await until(led, { what: "the service is connected to the new master" });
  });

  it("may be watched by sentinels, and follow them to a new master", async () => {
    await using group = await startSentinel();
    const hosts = group.ports.map((port) => `127.0.0.1:${port}`).join(",");
    const url = `redis+sentinel://${hosts}/${group.name}/2`;
    await using service = await serveYearly(url, PATIENT);
    expect((await ask(service)).body.remaining).toBe(99);
    expect(service.said).toContain(`state in ${url}\n`);
    const heir = await group.failover();
    const admitted = async () => (await ask(service, { user: "bob" })).body.ok === true;
    await until(admitted, { what: "the service has found the new master" });
    const [, size] = await commands(heir.port, [["SELECT", 2], ["DBSIZE"]]);
    expect(size).not.toBe(0);
    expect(await service.stop()).toBe(0);
    const [sentinel = 0] = group.ports;
    await commands(sentinel, [["ACL", "SETUSER", "default", "resetpass", ">sesame"]]);
    const env = { SPILLWAY_SENTINEL_PASSWORD: "sesame" };
    await using knowing = await startService({
      rules: YEARLY,
      store: url,
      args: PATIENT,
      env,
    });
    expect((await ask(knowing, { user: "bob" })).body.ok).toBe(true);
    // As envoyproxy/ratelimit has it, where there is no database to name.
    const upstream = { REDIS_TYPE: "SENTINEL", REDIS_URL: `${group.name},${hosts}` };
    for (const access of ["sesame", "default:sesame"]) {
      await using other = await startService({
        rules: YEARLY,
        args: PATIENT,
        env: { ...upstream, REDIS_SENTINEL_AUTH: access },
      });
      expect((await ask(other, { user: "bob" })).body.ok).toBe(true);
    }
  });
});
