import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";
import type { WhenUnavailable } from "spillway";
import { redisStore } from "spillway/redis";
import { describe, expect, it } from "vitest";
import { createServer, createService } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const staff = { domain: "shop", descriptors: [descriptor("staff=bob")] };

// Of a server that does not listen, guarded calls need it.
const adminToken = "0123456789abcdef";
const headers = { authorization: `Bearer ${adminToken}` };

/** A service whose store never answers. */
function serveWithout(whenUnavailable?: WhenUnavailable, rules = SHOP): Promise<FastifyInstance> {
  const client = new Redis({ lazyConnect: true });
  client.disconnect();
  const store = redisStore(client, { instances: 2 });
  const policy = whenUnavailable && { whenUnavailable };
  const service = createService({ rules: rulesOf(rules), store, ...policy });
  return createServer({ service, adminToken });
}

async function post(app: FastifyInstance, url: string, payload: object) {
  const answer = await app.inject({ method: "POST", url, payload, headers });
  return { status: answer.statusCode, wait: answer.headers["retry-after"], body: answer.json() };
}

describe("without its store, and by default", async () => {
  const app = await serveWithout();

  it.each(["limit", "check"])("a %s is refused as nobody's fault", async (mode) => {
    const { status, wait, body } = await post(app, `/v1/${mode}`, ann);
    expect([status, wait]).toEqual([503, "1"]);
    const decision = { ok: false, remaining: 0, reason: "unavailable", degraded: true };
    expect(body).toMatchObject({ ...decision, refused: ["shop/user"], decisions: [decision] });
  });

  it("/json refuses as nobody's fault, and says when to come back", async () => {
    const { status, wait, body } = await post(app, "/json", ann);
    expect([status, wait]).toEqual([503, "1"]);
    const currentLimit = { requestsPerUnit: 5, unit: "MINUTE", name: "per user" };
    expect(body).toEqual({
      overallCode: "OVER_LIMIT",
      statuses: [{ code: "OVER_LIMIT", currentLimit, durationUntilReset: "1s" }],
    });
  });

  it("a reset is a problem, which names no machine", async () => {
    const { status, wait, body } = await post(app, "/v1/reset", ann);
    expect([status, wait]).toEqual([503, "1"]);
    expect(body).toMatchObject({ status: 503, code: "unavailable" });
    expect(body.detail).toMatch(/^The store gave no answer, so the call may have taken effect/);
  });

  it.each([
    ["value", ann],
    ["settle", { domain: "shop", descriptors: [{ ...ann.descriptors[0], reserved: 1, used: 0 }] }],
    ["block", { ...ann, for: 1_000 }],
    ["unblock", ann],
  ])("a %s is a problem", async (verb, request) => {
    const { status, wait, body } = await post(app, `/v1/${verb}`, request);
    expect([status, wait, body.code]).toEqual([503, "1", "unavailable"]);
  });

  it("what has no bound is admitted as ever", async () => {
    const { status, body } = await post(app, "/v1/limit", staff);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("degraded");
  });
});

describe("without its store, where limits are to be open", () => {
  it("all are admitted, and told why", async () => {
    const app = await serveWithout("open");
    const decision = { ok: true, remaining: 0, degraded: true };
    const { status, body } = await post(app, "/v1/limit", { ...ann, count: 100 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...decision, decisions: [decision] });
    expect((await post(app, "/json", ann)).body).toMatchObject({ overallCode: "OK" });
  });
});

describe("without its store, where limits are to be local", () => {
  it("this process's part is counted, and it alone", async () => {
    const app = await serveWithout("local");
    const ask = () => post(app, "/v1/limit", ann);
    expect((await ask()).body).toMatchObject({ ok: true, remaining: 1, degraded: true });
    expect((await ask()).status).toBe(200);
    const { status, body } = await ask();
    expect(status).toBe(429);
    expect(body).toMatchObject({ ok: false, reason: "limited", degraded: true });
  });
});

describe("leases without the store", () => {
  const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { kind: concurrency, capacity: 4, ttl: 30s }
`;

  it("are not there where limits are closed, and nothing is known of those before", async () => {
    const app = await serveWithout("closed", RULES);
    const { status, body } = await post(app, "/v1/acquire", ann);
    expect([status, body.reason, body.lease]).toEqual([503, "unavailable", undefined]);
    for (const verb of ["renew", "release"]) {
      const reply = await post(app, `/v1/${verb}`, { ...ann, lease: "A".repeat(22) });
      expect([reply.status, reply.body.code]).toEqual([503, "unavailable"]);
    }
  });

  it("are not needed where limits are open", async () => {
    const { status, body } = await post(await serveWithout("open", RULES), "/v1/acquire", ann);
    expect([status, body.degraded]).toEqual([200, true]);
    expect(body).not.toHaveProperty("lease");
  });

  it("are held here where limits are local", async () => {
    const app = await serveWithout("local", RULES);
    const acquire = () => post(app, "/v1/acquire", ann);
    const { body } = await acquire();
    expect(body).toMatchObject({ ok: true, degraded: true, ttl: 30_000 });
    await acquire();
    expect((await acquire()).status).toBe(429);
    const released = await post(app, "/v1/release", { ...ann, lease: body.lease });
    expect(released.status).toBe(200);
    expect((await acquire()).status).toBe(200);
  });
});

describe("GET /healthcheck", () => {
  it.each(["closed", "open", "local"] as const)("is healthy and degraded (%s)", async (policy) => {
    const { statusCode, body } = await (await serveWithout(policy)).inject("/healthcheck");
    expect([statusCode, body]).toEqual([200, "OK, degraded: the store gives no answer"]);
  });

  it("is well where no limit needs the store", async () => {
    const rules = "domain: d\ndescriptors: [{ key: k, rate_limit: { unlimited: true } }]";
    const { body } = await (await serveWithout("closed", rules)).inject("/healthcheck");
    expect(body).toBe("OK");
  });
});
