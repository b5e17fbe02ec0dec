/** The behaviour of every proxy with its configuration in `examples/proxies`. */
import { expect, it } from "vitest";
import { parseRules } from "../../src/index.ts";
import { type Proxied, type ProxiedReply, type ProxyProgram, proxied } from "./proxied.ts";

const UNLIMITED = "domain: shop\nhttp: [{ match: { path: /b }, actions: [{ method: {} }] }]";

/** The number of logins a minute, by `rules.yaml`. */
const LOGINS = 5;

async function login({ ask }: Proxied, target = "/login"): Promise<ProxiedReply> {
  return ask(target, { method: "POST", body: "name=ann" });
}

/** Declares the cases. */
export function limitsThrough(program: ProxyProgram): void {
  it("counts to the unit, and a refused client learns when to come back", async () => {
    const scene = await proxied(program);
    for (let count = 0; count < LOGINS; count++) {
      const passed = await login(scene);
      expect([passed.status, passed.text]).toEqual([200, "from the program"]);
      expect(passed.headers.ratelimit).toContain(
        `"shop/generic_key=login/remote_address";r=${LOGINS - 1 - count};t=48`,
      );
    }
    const refused = await login(scene);
    expect(refused.status).toBe(429);
    // The windows of the rule begin with the minute, and the clock stands 12.5 s after that.
    expect(refused.headers["retry-after"]).toBe("48");
    expect(refused.headers.ratelimit).toBe('"shop/generic_key=login/remote_address";r=0;t=48');
    expect(scene.seen.filter((one) => one === "POST /login")).toHaveLength(LOGINS);
  });

  it("limits every spelling of a path", async () => {
    const scene = await proxied(program);
    const spellings = [
      "/LOGIN",
      "/./login",
      "/login/",
      "/%6Cogin?a",
      "/x/../login?hops=2&domain=b",
    ];
    for (const target of spellings) {
      const { status } = await login(scene, target);
      expect([target, status]).toEqual([target, 200]);
    }
    expect((await login(scene)).status).toBe(429);
    expect((await scene.ask("/other")).status).toBe(200);
  });

  it("counts by the key of a client, and by its plan", async () => {
    const { ask } = await proxied(program);
    const left = async (headers: Readonly<Record<string, string>>) =>
      String((await ask("/a", { headers })).headers.ratelimit);
    expect(await left({ "X-Api-Key": "pro_1" })).toMatch(/^"shop\/api_key=pro_\*";r=599;/);
    expect(await left({ "X-Api-Key": "pro_2" })).toMatch(/^"shop\/api_key=pro_\*";r=599;/);
    expect(await left({ "X-Api-Key": "free1" })).toMatch(/^"shop\/api_key";r=59;/);
    expect(await left({ "X-Api-Key": "free1" })).toMatch(/^"shop\/api_key";r=58;/);
  });

  it("reads nothing that a client says of itself", async () => {
    const scene = await proxied(program);
    const lies = {
      "X-Forwarded-For": "198.51.100.7",
      "X-Forwarded-Uri": "/other",
      "X-Forwarded-Method": "GET",
      "X-Original-URI": "/other",
      "X-Original-Method": "GET",
      "X-Original-Host": "other.example",
      "X-Forwarded-Host": "other.example",
    };
    const init = { method: "POST", headers: lies };
    for (let count = 0; count < LOGINS; count++) await scene.ask("/login", init);
    expect((await scene.ask("/login", init)).status).toBe(429);
    expect((await login(scene)).status).toBe(429);
  });

  it("says nothing of limits where none applies", async () => {
    const scene = await proxied(program);
    const rules = parseRules([{ name: "rules.yaml", text: UNLIMITED }]);
    await scene.service.service.replaceRules(rules);
    const { text, headers } = await scene.ask("/a");
    expect([text, headers.ratelimit]).toEqual(["from the program", undefined]);
  });

  it("answers web pages, whose browsers name them", async () => {
    const { ask } = await proxied(program);
    const headers = { Origin: "https://shop.example", "Sec-Fetch-Site": "same-origin" };
    expect((await ask("/a", { headers })).status).toBe(200);
  });

  it("refuses paths without a meaning", async () => {
    const { ask } = await proxied(program);
    expect((await ask("/a%2F..%2Flogin", { method: "POST" })).status).toBe(400);
  });

  it("lets requests pass while the service is away", async () => {
    const scene = await proxied(program);
    for (let count = 0; count < LOGINS; count++) await login(scene);
    await scene.service.app.close();
    const passed = await login(scene);
    expect([passed.status, passed.text]).toEqual([200, "from the program"]);
  });
}
