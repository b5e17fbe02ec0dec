import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { descriptor, type Reply, send, serve, type TestServer } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

let server: TestServer;
beforeEach(async () => {
  server = await serve(SHOP);
});

function ask(body: unknown, init?: RequestInit): Promise<Reply> {
  return send(server, "/json", body, init);
}

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const perUser = { requestsPerUnit: 5, unit: "MINUTE", name: "per user" };

describe("/json", () => {
  it("answers as Envoy's service does, defaults left out", async () => {
    const { status, body } = await ask(ann);
    expect(status).toBe(200);
    expect(body).toEqual({
      overallCode: "OK",
      statuses: [
        { code: "OK", currentLimit: perUser, limitRemaining: 4, durationUntilReset: "48s" },
      ],
    });
  });

  it("refuses with 429", async () => {
    await ask({ ...ann, hitsAddend: 5 });
    const { status, headers, body } = await ask(ann);
    expect([status, headers.get("retry-after")]).toEqual([429, "48"]);
    expect(body).toEqual({
      overallCode: "OVER_LIMIT",
      statuses: [{ code: "OVER_LIMIT", currentLimit: perUser, durationUntilReset: "48s" }],
    });
  });

  it("takes nothing for what it refuses", async () => {
    const sale = [descriptor("user=ann"), descriptor("item=sale")];
    await ask({ domain: "shop", descriptors: sale, hitsAddend: 3 });
    const { body } = await ask({ domain: "shop", descriptors: [...sale, sale[0]] });
    expect(body).toMatchObject({
      overallCode: "OVER_LIMIT",
      statuses: [
        { code: "OK", limitRemaining: 2 },
        { code: "OVER_LIMIT", currentLimit: { requestsPerUnit: 3, unit: "HOUR" } },
        { code: "OK", limitRemaining: 2 },
      ],
    });
    expect((await ask({ ...ann, hitsAddend: 2 })).status).toBe(200);
  });

  it("has nothing left where it refuses, even if a smaller ask would pass", async () => {
    await ask({ ...ann, hitsAddend: 3 });
    const { body } = await ask({ ...ann, hitsAddend: 3 });
    expect(body.statuses).toEqual([
      { code: "OVER_LIMIT", currentLimit: perUser, durationUntilReset: "48s" },
    ]);
  });

  it.each([
    ["shop", "nothing=here"],
    ["no such shop", "user=ann"],
  ])("says OK and no more where no rule is for it (%s, %s)", async (domain, entry) => {
    const { status, body } = await ask({ domain, descriptors: [descriptor(entry)] });
    expect(status).toBe(200);
    expect(body).toEqual({ overallCode: "OK", statuses: [{ code: "OK" }] });
  });

  it("says that there is no bound", async () => {
    const { body } = await ask({ domain: "shop", descriptors: [descriptor("staff=bob")] });
    expect(body.statuses).toEqual([{ code: "OK", limitRemaining: 4294967295 }]);
  });

  it("leaves out a limit of 0, as it does every default", async () => {
    const { body } = await ask({ domain: "shop", descriptors: [descriptor("banned=eve")] });
    const currentLimit = { unit: "DAY" };
    const status = { code: "OVER_LIMIT", currentLimit, durationUntilReset: "86388s" };
    expect(body.statuses).toEqual([status]);
  });

  it("tells of other kinds what it can", async () => {
    const descriptors = [descriptor("address=1.2.3.4"), descriptor("slow=ann")];
    const { body } = await ask({ domain: "shop", descriptors });
    const bucket = { requestsPerUnit: 10, unit: "SECOND" };
    expect(body.statuses).toEqual([
      { code: "OK", currentLimit: bucket, limitRemaining: 49, durationUntilReset: "1s" },
      { code: "OK", currentLimit: { requestsPerUnit: 1 }, durationUntilReset: "90s" },
    ]);
  });

  it("tells whole seconds to the end of the window, rounded up", async () => {
    for (const [later, left] of [
      [0, "48s"],
      [499, "48s"],
      [1, "47s"],
      [46_999, "1s"],
      [1, "60s"],
    ] as const) {
      server.now += later;
      expect((await ask({ ...ann, hitsAddend: 1 })).body.statuses).toMatchObject([
        { durationUntilReset: left },
      ]);
    }
  });
});

describe("hits", () => {
  const remaining = async (body: object) =>
    ((await ask(body)).body.statuses as { limitRemaining?: number }[])[0]?.limitRemaining ?? 0;

  it.each([2, "2", 2.0])("may be %j, in either spelling", async (hits) => {
    expect(await remaining({ ...ann, hitsAddend: hits })).toBe(3);
    expect(await remaining({ ...ann, hits_addend: hits })).toBe(1);
  });

  it.each([0, "0", null])("of a request are 1 for %j", async (hits) => {
    expect(await remaining({ ...ann, hitsAddend: hits })).toBe(4);
  });

  it("of a descriptor go before the request's", async () => {
    const two = [{ ...descriptor("user=ann"), hits_addend: "2" }];
    expect(await remaining({ domain: "shop", descriptors: two, hitsAddend: 5 })).toBe(3);
  });

  it("of a descriptor may be 0: a check", async () => {
    const look = [{ ...descriptor("user=ann"), hitsAddend: 0 }];
    expect(await remaining({ domain: "shop", descriptors: look })).toBe(5);
    await ask({ ...ann, hitsAddend: 5 });
    expect((await ask({ domain: "shop", descriptors: look })).status).toBe(429);
  });

  it.each(["18446744073709551615", 1e19, 4294967295])("may be as many as %j", async (hits) => {
    const many = [{ ...descriptor("user=ann"), hitsAddend: hits }];
    expect((await ask({ domain: "shop", descriptors: many })).status).toBe(429);
    expect(await remaining(ann)).toBe(4);
  });
});

describe("a request as Envoy or curl sends it", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("may be a %s", async (method) => {
    expect((await ask(ann, { method })).status).toBe(200);
  });

  it("may be a GET with a body", async () => {
    const body = JSON.stringify(ann);
    const headers = { "content-length": body.length };
    const sent = request(`${server.url}/json`, { method: "GET", headers }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect(await json(response)).toMatchObject({ overallCode: "OK" });
  });

  it.each(["application/x-www-form-urlencoded", "text/plain", ""])(
    "may be of type %j",
    async (type) => {
      const headers = type === "" ? {} : { "content-type": type };
      const body = new TextEncoder().encode(JSON.stringify(ann));
      expect((await ask(ann, { headers, body })).status).toBe(200);
    },
  );

  it("may leave out values, and say null for nothing", async () => {
    const entries = [{ key: "user", value: null }];
    const some = { domain: "shop", descriptors: [{ entries, limit: null, hitsAddend: null }] };
    expect((await ask(some)).body.statuses).toMatchObject([{ limitRemaining: 4 }]);
    const none = { domain: "shop", descriptors: [{}, { entries: null }, { entries: [{}] }] };
    expect((await ask(none)).body.statuses).toEqual([
      { code: "OK" },
      { code: "OK" },
      { code: "OK" },
    ]);
  });
});

const BAD: readonly (readonly [body: unknown, code: string, detail: string])[] = [
  ["{", "bad-json", "not JSON"],
  ["", "bad-json", "no body"],
  [{ ...ann, domain: "" }, "empty-domain", "rate limit domain must not be empty"],
  [{}, "empty-domain", "rate limit domain must not be empty"],
  [
    { ...ann, descriptors: [] },
    "empty-descriptors",
    "rate limit descriptor list must not be empty",
  ],
  [{ domain: "d" }, "empty-descriptors", "rate limit descriptor list must not be empty"],
  [{ ...ann, domain: 5 }, "bad-field", "as domain"],
  [{ ...ann, hitsAddend: -1 }, "bad-field", "0 or more"],
  [{ ...ann, hitsAddend: "many" }, "bad-field", "a whole number"],
  [{ ...ann, hitsAddend: 1.5 }, "bad-field", "as hitsAddend"],
  [{ ...ann, hitsAddend: 4294967296 }, "bad-field", "at most 4294967295"],
  [{ ...ann, hits: 1 }, "unknown-field", 'a field "hits"'],
  [{ ...ann, hitsAddend: 1, hits_addend: 1 }, "bad-field", "each field in one spelling"],
  [{ ...ann, descriptors: [null] }, "bad-field", "descriptors[0]"],
  [withDescriptor({ hitsAddend: "99999999999999999999" }), "bad-field", "at most"],
  [withDescriptor({ limit: { requestsPerUnit: 1 } }), "bad-field", "expected SECOND to YEAR"],
  [withDescriptor({ limit: { requestsPerUnit: 1, unit: "FORTNIGHT" } }), "bad-field", "as unit"],
  [withDescriptor({ limit: { unit: 8 } }), "bad-field", "as unit"],
  [withDescriptor({ limit: { requestsPerUnit: 2 ** 32, unit: "DAY" } }), "bad-field", "at most"],
  [withDescriptor({ isNegativeHits: 1 }), "bad-field", "isNegativeHits"],
];

function withDescriptor(more: object) {
  return { domain: "shop", descriptors: [{ ...descriptor("user=ann"), ...more }] };
}

describe("a request that is wrong", () => {
  it.each(BAD)("%j is %s", async (body, code, detail) => {
    const reply = await ask(body);
    expect([reply.status, reply.body.code]).toEqual([400, code]);
    expect(reply.body.detail).toContain(detail);
    expect((await ask(ann)).body.statuses).toMatchObject([{ limitRemaining: 4 }]);
  });
});
