import { describe, expect, it } from "vitest";
import { createService, guardOf } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, type Reply, send, serve, type TestServer } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

const BODIES = {
  reset: ann,
  settle: { domain: "shop", descriptors: [{ ...descriptor("user=ann"), reserved: 5, used: 0 }] },
  block: { ...ann, for: 60_000 },
  unblock: ann,
};

type Call = keyof typeof BODIES;
const CALLS = Object.keys(BODIES) as Call[];

function call(server: TestServer, verb: Call, authorization?: string): Promise<Reply> {
  const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
  return send(server, `/v1/${verb}`, BODIES[verb], { headers });
}

describe.each(CALLS)("%s", (verb) => {
  it("is shut where other machines can come in", async () => {
    const { status, body } = await call(await serve(SHOP, {}, "0.0.0.0"), verb, "Bearer ");
    expect([status, body.code]).toEqual([403, "admin-closed"]);
    expect(body.detail).toContain("SPILLWAY_ADMIN_TOKEN");
  });

  it("is open to this machine alone", async () => {
    expect((await call(await serve(SHOP), verb)).status).toBe(200);
  });

  it.each(["127.0.0.1", "0.0.0.0"])("needs the token on %s where there is one", async (host) => {
    const server = await serve(SHOP, { adminToken: "open-sesame-open-sesame" }, host);
    await send(server, "/v1/limit", { ...ann, count: 4 });
    const wrong = [
      undefined,
      "open-sesame-open-sesame",
      "Bearer",
      "Bearer open-sesame",
      "Basic open-sesame-open-sesame",
    ];
    for (const authorization of [...wrong, "Bearer open-sesame-open-sesame!"]) {
      const { status, headers, body } = await call(server, verb, authorization);
      expect([status, body.code]).toEqual([401, "token-required"]);
      expect(headers.get("www-authenticate")).toContain("Bearer");
    }
    // Nothing was done by any of them.
    expect((await send(server, "/v1/limit", ann)).body).toMatchObject({ ok: true, remaining: 0 });
    expect((await call(server, verb, "Bearer open-sesame-open-sesame")).status).toBe(200);
    expect((await call(server, verb, "bearer open-sesame-open-sesame")).status).toBe(200);
  });
});

describe("admin calls", () => {
  it.each([
    ["127.0.0.1", "open"],
    ["127.1.2.3", "open"],
    ["::1", "open"],
    ["0.0.0.0", "closed"],
    ["::", "closed"],
    ["192.168.1.5", "closed"],
    ["::ffff:127.0.0.1", "closed"],
  ])("on %s are %s without a token", (address, guard) => {
    const on = { address, port: 8080, family: "whichever" };
    expect(guardOf(on, undefined)).toBe(guard);
    expect(guardOf(on, "open-sesame-open-sesame")).toBe("token");
  });

  it("reset nothing for more than can be asked together", async () => {
    const service = createService({ rules: rulesOf(SHOP) });
    await service.limit({ ...ann, count: 5 });
    const others = Array.from({ length: 1_000 }, (_, index) => descriptor(`user=${index}`));
    const request = { domain: "shop", descriptors: [...ann.descriptors, ...others] };
    await expect(service.reset(request)).rejects.toThrow("expected at most 1000");
    expect((await service.check(ann)).joint?.ok).toBe(false);
  });
});
