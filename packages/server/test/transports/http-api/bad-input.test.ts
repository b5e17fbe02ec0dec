import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { exchange, getText } from "../../support/raw.ts";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

let server: TestServer;
beforeEach(async () => {
  server = await serve(SHOP);
});

const entries = [{ key: "user", value: "ann" }];
const descriptors = [{ entries }];
const good = { domain: "shop", descriptors };

/** Whatever was sent before, the service answers, and nothing has been taken. */
async function expectUntouched(): Promise<void> {
  const { body } = await send(server, "/v1/check", good);
  expect(body).toMatchObject({ ok: true, remaining: 4 });
}

const ROUTES = ["/v1/limit", "/v1/check", "/v1/reset", "/json"];

const BODIES: readonly (readonly [what: string, body: unknown, code: string, detail: string])[] = [
  ["no JSON", "{", "bad-json", "not JSON in UTF-8"],
  ["no body", "", "bad-json", "no body"],
  ["JSON and more", `${JSON.stringify(good)}!`, "bad-json", "not JSON"],
  ["null", "null", "bad-field", "Found null as the body, expected object"],
  ["a list", [good], "bad-field", "Found an array as the body"],
  ["a text", '"shop"', "bad-field", "expected object"],
  ["no domain", { descriptors }, "missing-field", 'no field "domain"'],
  ["an empty domain", { ...good, domain: "" }, "bad-field", "as domain"],
  ["no descriptors", { domain: "shop" }, "missing-field", 'no field "descriptors"'],
  ["an empty list", { ...good, descriptors: [] }, "bad-field", "as descriptors"],
  [
    "no entries",
    { ...good, descriptors: [{ entries: [] }] },
    "bad-field",
    "descriptors[0].entries",
  ],
  ["null for a list", { ...good, descriptors: null }, "bad-field", "Found null as descriptors"],
  ["a number for a value", entry({ key: "user", value: 5 }), "bad-field", "expected string"],
  ["a missing value", entry({ key: "user" }), "missing-field", "descriptors[0].entries[0]"],
  ["an empty key", entry({ key: "", value: "ann" }), "bad-field", "not empty"],
  ["a pair of texts", entry(["user", "ann"]), "bad-field", "expected object"],
  ["a count as text", { ...good, count: "2" }, "bad-field", 'Found "2" as count, expected integer'],
  ["half a count", { ...good, count: 0.5 }, "bad-field", "Found 0.5 as count"],
  ["a negative count", { ...good, count: -1 }, "bad-field", "expected 0 or more"],
  ["a huge count", { ...good, count: 1e300 }, "bad-field", "or less"],
  ["a count too far", `{"count":1e999,${JSON.stringify(good).slice(1)}`, "bad-field", "as count"],
  ["no count", { ...good, count: null }, "bad-field", "Found null as count"],
  ["a misspelled field", { ...good, cont: 1 }, "unknown-field", "Did you mean count?"],
  ["a field too many", { ...good, admin: true }, "unknown-field", "expected only domain"],
  ["a deep field too many", entry({ ...entries[0], x: 1 }), "unknown-field", "only key, value"],
  ["__proto__", `{"__proto__":{},${JSON.stringify(good).slice(1)}`, "unknown-field", "__proto__"],
  ["a prototype", `{"__proto__":${JSON.stringify(good)}}`, "missing-field", "domain"],
  ["depth", "[".repeat(60_000), "bad-json", "not JSON"],
];

function entry(value: unknown) {
  return { domain: "shop", descriptors: [{ entries: [value] }] };
}

describe("a body that is wrong", () => {
  it.each(BODIES)("with %s is told so", async (_what, body, code, detail) => {
    const reply = await send(server, "/v1/limit", body);
    expect(reply.headers.get("content-type")).toContain("application/problem+json");
    expect(reply.body).toMatchObject({
      type: "about:blank",
      title: "Bad Request",
      status: 400,
      code,
    });
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain(detail);
    await expectUntouched();
  });

  it("in UTF-8 is told so, for a replaced byte would make one key of two", async () => {
    const json = JSON.stringify(entry({ key: "user", value: "?" }));
    const body = Buffer.from(json.replace("?", "\xff"), "latin1");
    const { status, body: problem } = await send(server, "/v1/limit", good, { body });
    expect([status, problem.code]).toEqual([400, "bad-json"]);
    await expectUntouched();
  });

  it("for being too large is told so", async () => {
    const large = { ...good, domain: "x".repeat(65_536) };
    const { status, body } = await send(server, "/v1/limit", large);
    expect([status, body.code]).toEqual([413, "body-too-large"]);
    await expectUntouched();
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "nonsense"])(
    "for being %s is told so",
    async (type) => {
      const headers = { "content-type": type };
      const { status, body } = await send(server, "/v1/limit", good, { headers });
      expect([status, body.code]).toEqual([415, "bad-content-type"]);
      await expectUntouched();
    },
  );

  it("to be reset is told so too: a reset has no count", async () => {
    const { status, body } = await send(server, "/v1/reset", { ...good, count: 1 });
    expect([status, body.code]).toEqual([400, "unknown-field"]);
  });
});

describe("a request to the wrong place", () => {
  it("for an unknown domain gets a 404, and no name that exists", async () => {
    const { status, body } = await send(server, "/v1/limit", { ...good, domain: "shopp" });
    expect([status, body.code]).toEqual([404, "unknown-domain"]);
    expect(body.detail).toBe('Found the domain "shopp", expected one that a rule file names');
  });

  it.each(["/", "/v1", "/v1/limits", "/v1/limit/", "/V1/limit", "/json/x"])(
    "at %s gets a 404",
    async (path) => {
      const { status, body } = await send(server, path, good);
      expect([status, body.code]).toEqual([404, "unknown-route"]);
    },
  );

  it("with a broken path gets a 400", async () => {
    const { status, body } = await send(server, "/%E0%A4%A", good);
    expect([status, body.code]).toEqual([400, "bad-request"]);
  });

  it.each(["GET", "PUT", "DELETE"])("with %s gets a 405", async (method) => {
    const init = { method, ...(method === "GET" && { body: null }) };
    const { status, headers, body } = await send(server, "/v1/limit", good, init);
    expect([status, body.code]).toEqual([405, "wrong-method"]);
    expect(headers.get("allow")).toBe("POST");
  });

  it("that is not HTTP is cut off, and the service goes on", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write("EHLO spillway\r\n\r\n");
    expect(await text(socket)).toContain("400 Bad Request");
    await expectUntouched();
  });
});

describe("a path that looks like a route's pattern", () => {
  const paths = ["/:a(", "/*x", "/:a(^\\d+$)", "/v1/:x(", "/:a(?", "/*", "/:domain", "/(a+)+$"];

  it.each([...paths, `/:a(${"(".repeat(8_000)}`])("is one like others: %s", async (path) => {
    const told: string[] = [];
    server = await serve(SHOP, { warn: (message) => told.push(message) });
    const answer = await exchange(server, getText(path, { Connection: "close" }));
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*"code":"unknown-route"/s);
    expect(answer.length).toBeLessThan(1_000);
    expect(told).toEqual([]);
  });
});

describe("hostile descriptors", () => {
  it("are ordinary values", async () => {
    const names = [
      "__proto__",
      "constructor",
      "toString",
      "\u0000",
      "\ud800",
      "a/b=c%",
      "*",
      "'\"\\",
    ];
    for (const name of names) {
      const hostile = [{ entries: [{ key: name, value: name }] }, descriptor("user=bob")];
      const { status } = await send(server, "/v1/limit", {
        domain: "shop",
        descriptors: hostile,
        count: 0,
      });
      expect(status).toBe(200);
    }
    await expectUntouched();
  });

  const many = (length: number) => ({
    domain: "shop",
    descriptors: Array.from({ length }, (_, index) => descriptor(`address=${index}`)),
  });

  it.each(ROUTES)("may be a thousand: %s", async (path) => {
    const { status, body } = await send(server, path, many(1_000));
    expect(status).toBe(200);
    expect(body.decisions ?? body.statuses).toHaveLength(1_000);
  });

  it.each(ROUTES)("may not be more, and then nothing is touched: %s", async (path) => {
    const before = { domain: "shop", descriptors: [descriptor("address=0")] };
    await send(server, "/v1/limit", before);
    const { status, body } = await send(server, path, many(1_001));
    expect([status, body.code]).toEqual([400, "bad-field"]);
    expect(body.detail).toContain("as descriptors, expected 1000 or fewer of them");
    expect((await send(server, "/v1/check", before)).body).toMatchObject({ remaining: 48 });
  });
});
