import { Redis } from "ioredis";
import { memoryStore, type Store } from "spillway";
import { redisStore } from "spillway/redis";
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { createService, parseRules } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";

const RULES = `
domain: shop
descriptors:
  - key: report
    rate_limit: { kind: concurrency, capacity: 2, ttl: 30s }
  - key: render
    rate_limit: { kind: concurrency, capacity: 2, ttl: 10s }
  - key: user
    rate_limit: { unit: minute, requests_per_unit: 5 }
  - key: trial
    rate_limit: { kind: concurrency, capacity: 1, ttl: 30s }
    shadow_mode: true
  - key: tenant
    rate_limit: { kind: concurrency, capacity: 4, ttl: 60s }
    descriptors:
      - key: user
        rate_limit: { kind: concurrency, capacity: 1, ttl: 30s, also: parent }
        shadow_mode: true
      - key: job
        rate_limit: { kind: concurrency, capacity: 2, ttl: 30s, also: parent }
`;

const asking = (...entries: string[]) => ({
  domain: "shop",
  descriptors: entries.map((entry) => descriptor(...entry.split(" "))),
});
const ann = asking("report=ann");

const acquire = async (server: Pick<TestServer, "url">, request: object = ann) => {
  const { status, body } = await send(server, "/v1/acquire", request);
  return { status, body, lease: body.lease as string, ok: body.ok };
};
const left = async (server: TestServer, request: object = ann) =>
  (await send(server, "/v1/check", { ...request, count: 0 })).body.remaining;

describe("POST /v1/acquire", () => {
  it("holds units until they are released", async () => {
    const server = await serve(RULES);
    const first = await acquire(server);
    expect(first).toMatchObject({ status: 200, body: { remaining: 1, ttl: 30_000 } });
    expect((await acquire(server)).status).toBe(200);
    const refused = await acquire(server);
    expect(refused).toMatchObject({ status: 429, body: { retryAfter: 30_000 } });
    expect(refused.body).not.toHaveProperty("lease");
    const release = () => send(server, "/v1/release", { ...ann, lease: first.lease });
    expect(await release()).toMatchObject({ status: 200, body: { held: true } });
    expect(await left(server)).toBe(1);
    expect((await release()).body).toEqual({ held: false });
    expect(await left(server)).toBe(1);
  });

  it("is what /v1/limit does where it meets a concurrency limit", async () => {
    const server = await serve(RULES);
    const request = { ...asking("report=ann", "user=ann"), count: 2 };
    const { body } = await send(server, "/v1/limit", request);
    expect(body).toMatchObject({ ok: true, ttl: 30_000 });
    const released = await send(server, "/v1/release", { ...request, lease: body.lease });
    expect(released.body).toEqual({ held: true });
    expect(await left(server)).toBe(2);
    // What was taken of a rate is not given back.
    expect(await left(server, asking("user=ann"))).toBe(3);
  });

  it("is for concurrency limits", async () => {
    const server = await serve(RULES);
    for (const path of ["acquire", "renew", "release"]) {
      const lease = path === "acquire" ? {} : { lease: "A".repeat(22) };
      const request = { ...asking("user=ann"), ...lease };
      const { status, body } = await send(server, `/v1/${path}`, request);
      expect([status, body.code]).toEqual([400, "wrong-kind"]);
    }
    expect(await left(server, asking("user=ann"))).toBe(5);
  });

  it("holds nothing where no rule is, and where nothing is asked for", async () => {
    const server = await serve(RULES);
    for (const request of [asking("nothing=here"), { ...ann, count: 0 }]) {
      const { status, body } = await acquire(server, request);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty("lease");
    }
  });

  it("takes from all or from none", async () => {
    const server = await serve(RULES);
    const both = asking("report=ann", "render=ann");
    await acquire(server, { ...asking("render=ann"), count: 2 });
    const { status, body } = await acquire(server, both);
    expect([status, body.lease]).toEqual([429, undefined]);
    expect(await left(server)).toBe(2);
  });
});

describe("a lease", () => {
  it("is over after the time that it was given", async () => {
    const server = await serve(RULES);
    const { lease } = await acquire(server, { ...ann, count: 2 });
    server.now += 29_999;
    expect(await left(server)).toBe(0);
    const renew = () => send(server, "/v1/renew", { ...ann, count: 2, lease });
    expect((await renew()).body).toEqual({ held: true, ttl: 30_000 });
    server.now += 29_999;
    expect(await left(server)).toBe(0);
    server.now += 1;
    expect(await left(server)).toBe(2);
    expect((await renew()).body).toEqual({ held: false });
  });

  it("is one for all that a request holds, for the shortest time among it", async () => {
    const server = await serve(RULES);
    const both = asking("report=ann", "render=ann", "report=ann");
    const { lease, body } = await acquire(server, both);
    expect(body).toMatchObject({
      ttl: 10_000,
      decisions: [{ remaining: 0 }, { remaining: 1 }, {}],
    });
    const { body: released } = await send(server, "/v1/release", { ...both, lease });
    expect(released).toEqual({ held: true });
    expect(await left(server)).toBe(2);
    expect(await left(server, asking("render=ann"))).toBe(2);
  });

  it("frees nothing of another budget, of other units, or of another lease", async () => {
    const server = await serve(RULES);
    const { lease } = await acquire(server);
    const other = await acquire(server, asking("report=bob"));
    const changed = lease.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    for (const request of [
      { ...ann, lease: other.lease },
      { ...asking("report=bob"), lease },
      { ...asking("render=ann"), lease },
      { ...ann, count: 2, lease },
      { ...ann, count: 0, lease },
      { ...ann, lease: changed },
      { ...ann, lease: `${lease}.0` },
      { ...asking("nothing=here"), lease },
    ]) {
      for (const path of ["renew", "release"]) {
        const { status, body } = await send(server, `/v1/${path}`, request);
        expect([status, body]).toEqual([200, { held: false }]);
      }
    }
    expect(await left(server)).toBe(1);
    expect(await left(server, asking("report=bob"))).toBe(1);
  });

  it("knows what a shadow did not get", async () => {
    const server = await serve(RULES);
    const request = asking("trial=x", "report=ann", "tenant=a user=u", "tenant=a job=j");
    const first = await acquire(server, request);
    const second = await acquire(server, request);
    expect(second.body).toMatchObject({
      ok: true,
      decisions: [{ ok: false }, {}, { ok: false }, {}],
    });
    const release = async (lease: string) =>
      (await send(server, "/v1/release", { ...request, lease })).body;
    expect(await release(second.lease)).toEqual({ held: true });
    expect(await left(server, asking("trial=x"))).toBe(0);
    expect(await left(server, asking("tenant=a"))).toBe(2);
    expect(await release(first.lease)).toEqual({ held: true });
    expect(await left(server, asking("trial=x"))).toBe(1);
    expect(await left(server, asking("tenant=a"))).toBe(4);
  });

  it("is not left behind by a request that a full counter refuses", async () => {
    const service = createService({ rules: rulesOf(RULES), settings: { chargeRefused: true } });
    const request = { ...asking("user=ann", "report=ann"), count: 1 };
    await service.limit({ ...asking("user=ann"), count: 5 });
    const { joint, lease } = await service.limit(request);
    expect([joint?.ok, lease]).toEqual([false, undefined]);
    expect((await service.check({ ...ann, count: 0 })).joint?.remaining).toBe(2);
  });

  it.each([
    ["lease", { ...ann }, "missing-field"],
    ["text", { ...ann, lease: 7 }, "bad-field"],
    ["name", { ...ann, lease: "mine" }, "bad-field"],
    ["list", { ...ann, lease: "A".repeat(22) + ".0".repeat(1_001) }, "bad-field"],
    ["field", { ...ann, lease: "A".repeat(22), id: 1 }, "unknown-field"],
  ])("that is no %s is refused", async (_, request, code) => {
    const server = await serve(RULES);
    for (const path of ["renew", "release"]) {
      const { status, body } = await send(server, `/v1/${path}`, request);
      expect([status, body.code]).toEqual([400, code]);
    }
  });

  it("is kept under another id on each budget", async () => {
    const inner = memoryStore();
    const ids: unknown[] = [];
    const store: Store<"now"> = {
      timing: "now",
      execute: (command) => {
        if (command.verb === "limit") ids.push(...command.budgets.map(({ lease }) => lease?.id));
        return inner.execute(command);
      },
    };
    const service = createService({ rules: rulesOf(RULES), store });
    await service.acquire(asking("report=ann", "report=bob", "render=ann"));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(Number.isSafeInteger(id)).toBe(true);
  });

  it("is drawn anew each time, and says nothing of another", async () => {
    const server = await serve(RULES);
    const asked = Array.from({ length: 20 }, (_, user) =>
      acquire(server, asking(`report=${user}`)),
    );
    const leases = (await Promise.all(asked)).map(({ lease }) => lease);
    expect(new Set(leases).size).toBe(20);
    for (const lease of leases) expect(lease).toMatch(/^[\w-]{22}$/);
  });
});

it("is held on a Redis for all services there", async () => {
  await using redis = await startRedis();
  const clients = [1, 2].map(() => new Redis(redis.url, { autoResendUnfulfilledCommands: false }));
  const rules = parseRules([{ name: "rules.yaml", text: RULES }]);
  const [one, other] = (await Promise.all(
    clients.map((client) =>
      serve(RULES, {
        service: createService({ rules, store: redisStore(client, { deadline: 30_000 }) }),
      }),
    ),
  )) as [TestServer, TestServer];
  const request = { ...asking("report=ann", "render=ann"), count: 2 };
  const { lease } = await acquire(one, request);
  expect((await acquire(other)).status).toBe(429);
  const named = { ...request, lease };
  expect((await send(other, "/v1/renew", named)).body).toEqual({ held: true, ttl: 10_000 });
  expect((await send(other, "/v1/release", named)).body).toEqual({ held: true });
  expect((await send(one, "/v1/release", named)).body).toEqual({ held: false });
  expect((await acquire(one, request)).status).toBe(200);
  for (const client of clients) client.disconnect();
});
