import { Redis } from "ioredis";
import { redisStore } from "spillway/redis";
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { createService } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";

const RULES = `
domain: llm
descriptors:
  - key: org
    rate_limit: { kind: token bucket, unit: second, requests_per_unit: 10, max_reserved: 20 }
    descriptors:
      - key: user
        rate_limit: { kind: token bucket, unit: second, requests_per_unit: 10, max_reserved: 20, also: parent }
  - key: team
    rate_limit: { unit: hour, requests_per_unit: 5 }
    descriptors:
      - key: user
        rate_limit: { kind: token bucket, unit: second, requests_per_unit: 1, max_reserved: 20, also: parent }
  - key: plain
    rate_limit: { kind: token bucket, unit: second, requests_per_unit: 10 }
  - key: report
    rate_limit: { kind: concurrency, capacity: 2, ttl: 30s }
  - key: staff
    rate_limit: { unlimited: true }
`;

const asking = (entries: string, extra: object = {}) => ({
  domain: "llm",
  descriptors: [{ ...descriptor(...entries.split(" ")), ...extra }],
});
const limit = (server: Pick<TestServer, "url">, body: object) => send(server, "/v1/limit", body);

describe("reserve", () => {
  it("takes ahead of time, and says when to start", async () => {
    const server = await serve(RULES);
    const { status, body } = await limit(server, asking("org=a", { count: 25, reserve: true }));
    expect([status, body.ok, body.retryAfter]).toEqual([200, true, 1_500]);
    const refused = await limit(server, asking("org=a", { count: 6, reserve: true }));
    expect([refused.status, refused.body.retryAfter]).toEqual([429, 100]);
    const value = await send(server, "/v1/value", asking("org=a"));
    expect(value.body.values).toMatchObject([{ remaining: 0, reserved: 15 }]);
    const last = await limit(server, { ...asking("org=a", { count: 5 }), reserve: true });
    expect(last.body).toMatchObject({ ok: true, retryAfter: 2_000 });
  });

  it("is said for all descriptors, or for one", async () => {
    const server = await serve(RULES);
    await limit(server, asking("org=a", { count: 10 }));
    const ask = async (one: object, all: object) => {
      const reply = await send(server, "/v1/check", { ...asking("org=a", one), ...all });
      return reply.status;
    };
    expect(await ask({}, {})).toBe(429);
    expect(await ask({}, { reserve: true })).toBe(200);
    expect(await ask({ reserve: true }, {})).toBe(200);
    expect(await ask({ reserve: false }, { reserve: true })).toBe(429);
  });

  it("reserves from a budget only if all that ask it together do", async () => {
    const server = await serve(RULES);
    await limit(server, asking("org=a", { count: 10 }));
    const [yes, no] = [true, false].map((reserve) => asking("org=a", { reserve }).descriptors[0]);
    for (const [descriptors, status] of [
      [[yes, yes], 200],
      [[yes, no], 429],
      [[no, yes], 429],
    ] as const) {
      const reply = await send(server, "/v1/check", { domain: "llm", descriptors });
      expect(reply.status).toBe(status);
    }
  });

  it("reserves from limits above that bound it, and from no others", async () => {
    const server = await serve(RULES);
    const org = await limit(server, asking("org=a user=u", { count: 20, reserve: true }));
    expect(org.body).toMatchObject({ ok: true, retryAfter: 1_000 });
    const value = await send(server, "/v1/value", asking("org=a"));
    expect(value.body.values).toMatchObject([{ limit: "llm/org", reserved: 10 }]);
    const team = (count: number) =>
      limit(server, asking("team=t user=u", { count, reserve: true }));
    expect((await team(5)).body).toMatchObject({ ok: true, retryAfter: 4_000 });
    expect((await team(1)).body).toMatchObject({ ok: false, refused: ["llm/team"] });
  });

  it.each(["plain=x", "report=ann"])("is refused where no rule bounds it: %s", async (one) => {
    const server = await serve(RULES);
    const { status, body } = await limit(server, asking(one, { reserve: true }));
    expect([status, body.code]).toEqual([400, "no-reservations"]);
    expect(body.detail).toContain("descriptors[0]");
  });

  it("does no harm where no limit is", async () => {
    const server = await serve(RULES);
    for (const one of ["staff=bob", "nothing=here"]) {
      expect((await limit(server, asking(one, { reserve: true }))).status).toBe(200);
    }
  });

  it("is true or false", async () => {
    const server = await serve(RULES);
    const { body } = await limit(server, asking("org=a", { reserve: 1 }));
    expect(body.code).toBe("bad-field");
  });

  it("is the same on a Redis", async () => {
    await using redis = await startRedis();
    const client = new Redis(redis.url, { autoResendUnfulfilledCommands: false });
    const store = redisStore(client, { deadline: 30_000 });
    const server = await serve(RULES, { service: createService({ rules: rulesOf(RULES), store }) });
    const taken = await limit(server, asking("org=a", { count: 30, reserve: true }));
    expect(taken.body).toMatchObject({ ok: true, retryAfter: 2_000 });
    const settled = {
      domain: "llm",
      descriptors: [{ ...descriptor("org=a"), reserved: 30, used: 0 }],
    };
    const { body } = await send(server, "/v1/settle", settled);
    expect(body.values).toMatchObject([{ remaining: 10, reserved: 0 }]);
    client.disconnect();
  });
});
