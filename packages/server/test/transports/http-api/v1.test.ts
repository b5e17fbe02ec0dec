import { beforeEach, describe, expect, it } from "vitest";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

let server: TestServer;
beforeEach(async () => {
  server = await serve(SHOP);
});

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const both = { domain: "shop", descriptors: [descriptor("user=ann"), descriptor("item=sale")] };

describe("POST /v1/limit", () => {
  it("takes, and answers with the decision", async () => {
    const { status, headers, body } = await send(server, "/v1/limit", ann);
    const decision = {
      ok: true,
      limit: "shop/user",
      capacity: 5,
      remaining: 4,
      retryAfter: 0,
      resetAfter: 47_500,
    };
    expect([status, headers.get("retry-after")]).toEqual([200, null]);
    expect(body).toEqual({ ...decision, refused: [], decisions: [decision] });
  });

  it("refuses with 429, and rounds the wait up to whole seconds", async () => {
    await send(server, "/v1/limit", { ...ann, count: 5 });
    const { status, headers, body } = await send(server, "/v1/limit", ann);
    expect([status, headers.get("retry-after")]).toEqual([429, "48"]);
    expect(body).toMatchObject({ ok: false, retryAfter: 47_500, reason: "limited" });
    expect(body.refused).toEqual(["shop/user"]);
  });

  it("admits after the wait, not a millisecond before", async () => {
    await send(server, "/v1/limit", { ...ann, count: 5 });
    server.now += 47_499;
    expect((await send(server, "/v1/limit", ann)).status).toBe(429);
    server.now += 1;
    expect((await send(server, "/v1/limit", ann)).status).toBe(200);
  });

  it("gives no Retry-After where no wait helps", async () => {
    const { status, headers, body } = await send(server, "/v1/limit", { ...ann, count: 6 });
    expect([status, headers.get("retry-after")]).toEqual([429, null]);
    expect(body).toMatchObject({ ok: false, retryAfter: null, reason: "too large" });
  });

  it("takes from all or from none", async () => {
    await send(server, "/v1/limit", { ...both, count: 3 });
    const refused = await send(server, "/v1/limit", both);
    expect(refused.body).toMatchObject({ ok: false, refused: ["shop/item=sale"] });
    const { body } = await send(server, "/v1/check", { ...ann, count: 2 });
    expect(body).toMatchObject({ ok: true, remaining: 0 });
  });

  it("lets a descriptor's count go before the request's", async () => {
    const [user, item] = both.descriptors;
    const descriptors = [{ ...user, count: 2 }, item];
    const { body } = await send(server, "/v1/limit", { ...both, descriptors, count: 3 });
    expect(body.decisions).toMatchObject([{ remaining: 3 }, { remaining: 0 }]);
  });

  it("counts the same descriptor twice together", async () => {
    const twice = { domain: "shop", descriptors: [...ann.descriptors, ...ann.descriptors] };
    expect((await send(server, "/v1/limit", { ...twice, count: 3 })).status).toBe(429);
    const { body } = await send(server, "/v1/limit", { ...twice, count: 2 });
    expect(body.decisions).toMatchObject([{ remaining: 1 }, { remaining: 1 }]);
  });

  it("has null for a descriptor without a rule, and asks no limit then", async () => {
    const descriptors = [descriptor("nothing=here")];
    const { status, body } = await send(server, "/v1/limit", { domain: "shop", descriptors });
    const nothing = { capacity: null, remaining: null, retryAfter: 0, resetAfter: 0 };
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, limit: null, ...nothing, refused: [], decisions: [null] });
  });

  it("always admits where there is no bound, and never where there is nothing", async () => {
    const ask = async (...descriptors: object[]) =>
      send(server, "/v1/limit", { domain: "shop", descriptors, count: 1_000_000 });
    const staff = await ask(descriptor("staff=bob"));
    expect(staff.body).toMatchObject({ ok: true, decisions: [{ limit: "shop/staff" }] });
    expect((await ask(descriptor("banned=eve"))).status).toBe(429);
    expect((await ask(descriptor("staff=bob"), descriptor("banned=eve"))).body).toMatchObject({
      refused: ["shop/banned"],
      decisions: [{ ok: true, remaining: null }, { ok: false }],
    });
  });

  it("takes nothing for a count of 0, and tells whether one is left", async () => {
    expect((await send(server, "/v1/limit", { ...ann, count: 0 })).body.remaining).toBe(5);
    await send(server, "/v1/limit", { ...ann, count: 5 });
    expect((await send(server, "/v1/limit", { ...ann, count: 0 })).status).toBe(429);
  });

  it("keeps apart what differs in one character, whatever it is", async () => {
    const values = [
      "",
      "0",
      "0:",
      "a\u0000",
      "a\u0001",
      "\ud800",
      "\ud801",
      "\ufffd",
      "é",
      "e\u0301",
    ];
    for (const value of [...values, "x".repeat(50_000), `${"x".repeat(49_999)}y`]) {
      const descriptors = [{ entries: [{ key: "user", value }] }];
      const { body } = await send(server, "/v1/limit", { domain: "shop", descriptors });
      expect(body).toMatchObject({ ok: true, remaining: 4 });
    }
  });

  it("takes names of JavaScript's own for ordinary text", async () => {
    const descriptors = [descriptor("__proto__=__proto__"), descriptor("constructor=x")];
    const { status, body } = await send(server, "/v1/limit", { domain: "shop", descriptors });
    expect(status).toBe(200);
    expect(body.decisions).toMatchObject([{ limit: "shop/__proto__", remaining: 4 }, null]);
  });
});

describe("POST /v1/check", () => {
  it("answers what limit would, and takes nothing", async () => {
    const first = await send(server, "/v1/check", ann);
    const second = await send(server, "/v1/check", ann);
    expect(second.body).toEqual(first.body);
    expect(first.body).toMatchObject({ ok: true, remaining: 4 });
    await send(server, "/v1/limit", { ...ann, count: 5 });
    const { status, headers } = await send(server, "/v1/check", ann);
    expect([status, headers.get("retry-after")]).toEqual([429, "48"]);
  });
});

describe("POST /v1/reset", () => {
  it("forgets what was used, and tells what is there then", async () => {
    await send(server, "/v1/limit", { ...both, count: 3 });
    const { status, body } = await send(server, "/v1/reset", both);
    expect(status).toBe(200);
    expect(body.decisions).toMatchObject([{ remaining: 5 }, { remaining: 3 }]);
  });

  it("leaves others alone", async () => {
    const bob = { domain: "shop", descriptors: [descriptor("user=bob")] };
    await send(server, "/v1/limit", { ...bob, count: 5 });
    await send(server, "/v1/reset", ann);
    expect((await send(server, "/v1/limit", bob)).status).toBe(429);
  });
});
