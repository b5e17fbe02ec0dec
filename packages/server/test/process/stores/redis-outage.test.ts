import { describe, expect, it } from "vitest";
import { startProxy } from "../../../../spillway/test/servers/faulty-proxy.ts";
import { freePort } from "../../../../spillway/test/servers/ports.ts";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { DEGRADED, isHealthy, recovered, told } from "../../support/outage.ts";
import { descriptor } from "../../support/service.ts";
import { startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";

// Processes are slow to start on a busy machine.

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
describe.concurrent("a service whose Redis", () => {
  it("is killed refuses all, tells it once, and recovers by itself", async () => {
    await using redis = await startRedis();
    await using service = await startService({
      rules: SHOP,
      store: redis.url,
      args: ["--deadline", "200"],
    });
    await recovered(service);
    await redis.kill();
    for (let asked = 0; asked < 10; asked++) {
      const { status, headers, body } = await service.post("/v1/limit", ann);
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      expect(body).toMatchObject({ ok: false, reason: "unavailable", degraded: true });
    }
    expect((await service.post("/json", ann)).status).toBe(503);
    const { status, body } = await service.post("/v1/reset", ann);
    expect([status, body.code]).toEqual([503, "unavailable"]);
    await isHealthy(service, DEGRADED);
    await redis.restart();
    await recovered(service);
    const resets = async () => (await service.post("/v1/reset", ann)).status === 200;
    await until(resets, { what: "a reset is done" });
    expect(await service.stop()).toBe(0);
    expect(service.warnings.length).toBeLessThanOrEqual(3);
    expect(told(service, /^the store redis:\S+ failed 5 times in a row: /)).toBe(1);
    expect(told(service, /^the store redis:\S+ answers again; \d+ decisions were made/)).toBe(1);
  });

  it("is not there yet starts all the same, says so, and connects when it comes", async () => {
    const port = await freePort();
    const options = ["--when-unavailable", "local", "--instances", "2"];
    await using service = await startService({
      rules: SHOP,
      store: `redis://127.0.0.1:${port}`,
      args: options,
    });
    const unreached = /^redis:\/\/127\.0\.0\.1:\d+ can't be reached: connect ECONNREFUSED/;
    expect(told(service, unreached)).toBe(1);
    const ask = () => service.post("/v1/limit", { ...ann, count: 2 });
    expect((await ask()).body).toMatchObject({ ok: true, degraded: true });
    const { status, body } = await ask();
    expect(status).toBe(429);
    expect(body).toMatchObject({ ok: false, reason: "limited", degraded: true });
    await using _redis = await startRedis({ port });
    await recovered(service);
    expect(told(service, /^redis:\/\/127\.0\.0\.1:\d+ is connected$/)).toBe(1);
  });

  it("hangs makes a new connection, for the old one may never say anything again", async () => {
    await using redis = await startRedis();
    await using proxy = await startProxy(redis.port);
    await using service = await startService({ rules: SHOP, store: proxy.url });
    await recovered(service);
    proxy.hang();
    expect((await service.post("/v1/limit", ann)).status).toBe(503);
    proxy.heal();
    await recovered(service);
  });

  it("never comes admits all where limits are open, and ends when it is told to", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    await using service = await startService({
      rules: SHOP,
      store: url,
      args: ["--when-unavailable", "open"],
    });
    const { status, body } = await service.post("/v1/limit", { ...ann, count: 100 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, degraded: true });
    expect(await service.stop()).toBe(0);
    expect(service.said).toMatch(/SIGTERM: finishing open requests\n/);
  });
});
