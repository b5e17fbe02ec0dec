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
    rate_limit: { unit: hour, requests_per_unit: 100 }
    descriptors:
      - key: user
        rate_limit: { kind: token bucket, unit: hour, requests_per_unit: 60, also: parent }
  - key: report
    rate_limit: { kind: concurrency, capacity: 2, ttl: 30s }
  - key: hot
    rate_limit: { unit: hour, requests_per_unit: 100, shards: 4 }
  - key: staff
    rate_limit: { unlimited: true }
`;

type Amounts = Record<string, number>;
const asking = (entries: string, amounts: Amounts = {}) => ({
  domain: "llm",
  descriptors: [{ ...descriptor(...entries.split(" ")), ...amounts }],
});
const post = (server: Pick<TestServer, "url">, verb: string, body: object) =>
  send(server, `/v1/${verb}`, body);
const values = async (server: Pick<TestServer, "url">, verb: string, body: object) =>
  (await post(server, verb, body)).body.values;

describe("POST /v1/value", () => {
  it("reads what is left, and takes nothing", async () => {
    const server = await serve(RULES);
    await post(server, "limit", asking("org=a", { count: 30 }));
    const value = {
      limit: "llm/org",
      capacity: 100,
      remaining: 70,
      reserved: 0,
      resetAfter: 3_587_500,
      blockedFor: 0,
    };
    for (const _ of [1, 2]) {
      const { status, body } = await post(server, "value", asking("org=a"));
      expect([status, body]).toEqual([200, { values: [value] }]);
    }
  });

  it("reads the tightest of the limits that apply", async () => {
    const server = await serve(RULES);
    expect(await values(server, "value", asking("org=a user=u"))).toMatchObject([
      { limit: "llm/org/user", remaining: 60 },
    ]);
    await post(server, "limit", asking("org=a", { count: 90 }));
    expect(await values(server, "value", asking("org=a user=u"))).toMatchObject([
      { limit: "llm/org", remaining: 10 },
    ]);
  });

  it("has null for no rule and for no bound", async () => {
    const server = await serve(RULES);
    const [staff] = asking("staff=bob").descriptors;
    const [none] = asking("nothing=here").descriptors;
    const request = { domain: "llm", descriptors: [staff, none] };
    expect(await values(server, "value", request)).toEqual([
      {
        limit: "llm/staff",
        capacity: null,
        remaining: null,
        reserved: 0,
        resetAfter: 0,
        blockedFor: 0,
      },
      null,
    ]);
  });

  it("shows what is in flight", async () => {
    const server = await serve(RULES);
    await post(server, "acquire", asking("report=ann"));
    const expected = [{ limit: "llm/report", capacity: 2, remaining: 1, resetAfter: 30_000 }];
    expect(await values(server, "value", asking("report=ann"))).toMatchObject(expected);
  });

  it("shows a counter that charges refused requests as its limit", async () => {
    const service = createService({ rules: rulesOf(RULES), settings: { chargeRefused: true } });
    const server = await serve(RULES, { service });
    for (const remaining of [40, 0]) {
      await post(server, "limit", asking("org=a", { count: 60 }));
      const expected = [{ capacity: 100, remaining }];
      expect(await values(server, "value", asking("org=a"))).toMatchObject(expected);
    }
  });
});

describe("POST /v1/settle", () => {
  it("gives back what was not used, under all limits that it was taken from", async () => {
    const server = await serve(RULES);
    await post(server, "limit", asking("org=a user=u", { count: 50 }));
    const settled = asking("org=a user=u", { reserved: 50, used: 20 });
    expect(await values(server, "settle", settled)).toMatchObject([
      { limit: "llm/org/user", remaining: 40 },
    ]);
    expect(await values(server, "value", asking("org=a"))).toMatchObject([{ remaining: 80 }]);
  });

  it("charges more than was estimated, into debt", async () => {
    const server = await serve(RULES);
    await post(server, "limit", asking("org=a", { count: 50 }));
    const settled = asking("org=a", { reserved: 50, used: 120 });
    expect(await values(server, "settle", settled)).toMatchObject([{ remaining: 0, reserved: 20 }]);
    expect((await post(server, "limit", asking("org=a"))).status).toBe(429);
  });

  it("is for rates, and settles none where one is none", async () => {
    const server = await serve(RULES);
    await post(server, "limit", asking("org=a", { count: 50 }));
    const amounts = { reserved: 50, used: 0 };
    const descriptors = ["org=a", "report=ann"].flatMap((one) => asking(one, amounts).descriptors);
    const { status, body } = await post(server, "settle", { domain: "llm", descriptors });
    expect([status, body.code]).toEqual([400, "wrong-kind"]);
    expect(body.detail).toContain("descriptors[1]");
    expect(await values(server, "value", asking("org=a"))).toMatchObject([{ remaining: 50 }]);
  });

  it.each([
    [{ reserved: 1 }, "missing-field"],
    [{ reserved: 1, used: -1 }, "bad-field"],
    [{ reserved: 1, used: 0.5 }, "bad-field"],
    [{ reserved: 1e9 + 1, used: 0 }, "bad-field"],
    [{ reserved: 1, used: 0, count: 1 }, "unknown-field"],
  ])("refuses %j", async (amounts, code) => {
    const server = await serve(RULES);
    const { status, body } = await post(server, "settle", asking("org=a", amounts as Amounts));
    expect([status, body.code]).toEqual([400, code]);
  });
});

describe("POST /v1/block and /v1/unblock", () => {
  const block = (entries: string, ms: number) => ({ ...asking(entries), for: ms });

  it("refuse everything for the time, or until it is ended", async () => {
    const server = await serve(RULES);
    await post(server, "limit", asking("org=a", { count: 30 }));
    const blocked = await values(server, "block", block("org=a", 60_000));
    expect(blocked).toMatchObject([{ limit: "llm/org", blockedFor: 60_000 }]);
    const { status, body } = await post(server, "limit", asking("org=a"));
    expect([status, body.reason, body.retryAfter]).toEqual([429, "blocked", 60_000]);
    expect((await post(server, "limit", asking("org=b"))).status).toBe(200);
    server.now += 60_000;
    expect((await post(server, "limit", asking("org=a"))).status).toBe(200);
    await post(server, "block", block("org=a", 60_000));
    const unblocked = await values(server, "unblock", asking("org=a"));
    expect(unblocked).toMatchObject([{ remaining: 69, blockedFor: 0 }]);
    expect((await post(server, "limit", asking("org=a"))).status).toBe(200);
  });

  it("leave limits above alone, and what is blocked there shows", async () => {
    const server = await serve(RULES);
    await post(server, "block", block("org=a user=u", 60_000));
    expect((await post(server, "limit", asking("org=a user=v"))).status).toBe(200);
    await post(server, "block", block("org=a", 90_000));
    expect(await values(server, "value", asking("org=a user=u"))).toMatchObject([
      { limit: "llm/org", blockedFor: 90_000 },
    ]);
  });

  it.each(["nothing=here", "staff=bob"])(
    "say so where there is nothing to block: %s",
    async (one) => {
      const server = await serve(RULES);
      const descriptors = ["org=a", one].flatMap((entries) => asking(entries).descriptors);
      const request = { domain: "llm", descriptors, for: 60_000 };
      const { status, body } = await post(server, "block", request);
      expect([status, body.code]).toEqual([404, "nothing-to-block"]);
      expect((await post(server, "limit", asking("org=a"))).status).toBe(200);
      expect((await post(server, "unblock", { domain: "llm", descriptors })).status).toBe(200);
    },
  );

  it.each([0, -1, 1.5, 366 * 86_400_000 + 1, "1h", null])(
    "last for milliseconds: %j",
    async (ms) => {
      const server = await serve(RULES);
      const { status, body } = await post(server, "block", { ...asking("org=a"), for: ms });
      expect([status, body.code]).toEqual([400, "bad-field"]);
    },
  );
});

it("are the same on a Redis, with shards too", async () => {
  await using redis = await startRedis();
  const client = new Redis(redis.url, { autoResendUnfulfilledCommands: false });
  const store = redisStore(client, { deadline: 30_000 });
  const server = await serve(RULES, { service: createService({ rules: rulesOf(RULES), store }) });
  await post(server, "limit", asking("hot=x", { count: 40 }));
  const settled = await values(server, "settle", asking("hot=x", { reserved: 40, used: 10 }));
  expect(settled).toMatchObject([{ limit: "llm/hot", capacity: 100, remaining: 90 }]);
  await post(server, "block", { ...asking("hot=x"), for: 3_600_000 });
  expect((await post(server, "limit", asking("hot=x"))).body.reason).toBe("blocked");
  expect(await values(server, "unblock", asking("hot=x"))).toMatchObject([{ blockedFor: 0 }]);
  expect(await values(server, "value", asking("hot=x"))).toMatchObject([{ remaining: 90 }]);
  client.disconnect();
});
