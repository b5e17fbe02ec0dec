/** `rules`: an `http` section as the limits of a route, with the answers of `/auth`. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { RateLimiter } from "spillway";
import { limited } from "spillway/node";
import { limitConnections, limitUpgrades } from "spillway/sockets";
import { describe, expect, it } from "vitest";
import { type RuleLimits, rules } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { START, serve } from "../../support/service.ts";
import { Events, rename, ruleFile } from "./program-scene.ts";
import { HOSTS } from "./rule-hosts.ts";
import { opened, startNode } from "./rule-scene.ts";

const RULES = `
domain: shop
jwt_providers:
  - { name: login, issuer: "https://login.example", jwks_file: /nowhere/keys.json }
http:
  - actions: [{ remote_address: {} }]
  - match: { path: "/users/{id}", hosts: ["*.example"] }
    actions: [{ generic_key: { descriptor_value: users } }, { method: {} }]
  - match: { path: /tried }
    actions: [{ generic_key: { descriptor_value: shadow } }]
  - match: { path: /free }
    actions: [{ generic_key: { descriptor_value: free } }]
  - match: { path: /closed }
    actions: [{ generic_key: { descriptor_value: closed } }]
  - match: { path: /found }
    actions: [{ query_parameters: { query_parameter_name: q, descriptor_key: q } }]
  - match: { path: /keyed }
    actions: [{ request_headers: { header_name: x-api-key, descriptor_key: api_key } }]
  - match: { path: /plan }
    actions: [{ jwt_claims: { claim_path: [plan], descriptor_key: plan } }]
  - match: { path: /sold }
    actions: [{ cookies: { cookie_name: cart, descriptor_key: cart } }]
descriptors:
  - { key: remote_address, rate_limit: { unit: minute, requests_per_unit: 30 } }
  - key: generic_key
    value: users
    descriptors: [{ key: method, rate_limit: { unit: hour, requests_per_unit: 2 } }]
  - { key: generic_key, value: shadow, rate_limit: { unit: minute, requests_per_unit: 0, mode: shadow } }
  - { key: generic_key, value: free, rate_limit: { unlimited: true } }
  - { key: generic_key, value: closed, rate_limit: { unit: minute, requests_per_unit: 0 } }
  - { key: q, value: "a b*", rate_limit: { kind: token bucket, unit: minute, requests_per_unit: 1 } }
  - { key: api_key, rate_limit: { kind: sliding log, unit: minute, requests_per_unit: 2 } }
  - { key: plan, rate_limit: { unit: minute, requests_per_unit: 1 } }
  - { key: cart, rate_limit: { unit: minute, requests_per_unit: 1 } }
`;

type Asked = readonly [target: string, headers?: Readonly<Record<string, string>>, method?: string];

/** In turn, with the addresses that a proxy reports. */
const REQUESTS: readonly Asked[] = [
  ["/"],
  ["/users/7"],
  ["/users/8?a=/x"],
  ["/users/9/"],
  ["/USERS/%37"],
  ["/users//7"],
  ["/users/7", {}, "DELETE"],
  ["/users/7/posts"],
  ["/tried"],
  ["/free"],
  ["/closed"],
  ["/closed", { accept: "text/html" }],
  ["/closed", { accept: "text/plain" }],
  ["/%63losed;v=1"],
  ["/closed", {}, "OPTIONS"],
  ["/found?q=a+b"],
  ["/found?q=a%20bc"],
  ["/found?q=a+b"],
  ["/keyed"],
  ["/keyed", { "x-api-key": "k" }],
  ["/keyed", { "x-api-key": "k" }],
  ["/keyed", { "x-api-key": "k" }],
  ["/keyed", { "x-api-key": "l" }],
  ["/plan"],
  ["/plan", { authorization: "Basic YTpi" }],
  ["/plan", { authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.e30.AA" }],
  ["/sold", { cookie: "a=1; cart=7" }],
  ["/sold", { cookie: "a=2; cart=7" }],
  ["/%00"],
  ["/%zz"],
  ["/a/..%2Fb"],
  ["/;/a"],
  ["/%ff"],
  ["/", { "x-forwarded-for": "2001:db8::1" }],
  ["/", { "x-forwarded-for": "2001:db8::2, 192.0.2.1" }],
  ["/", { "x-forwarded-for": "::ffff:192.0.2.1" }],
];

const SEEN = ["ratelimit", "ratelimit-policy", "retry-after", "www-authenticate"];

/** What a client can tell apart. */
async function seen(base: string, sent: Parameters<typeof request>[1]) {
  const asked = request(base, { agent: false, ...sent }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const body = await text(response);
  const status = response.statusCode ?? 0;
  const headers = SEEN.map((name) => response.headers[name]);
  // A framework may itself refuse a path before any limit.
  const refusal = status === 429 || status === 503 ? refusalOf(response, body) : undefined;
  return { status, headers, refusal };
}

function refusalOf({ headers }: IncomingMessage, body: string) {
  const type = headers["content-type"]?.replace(/(?<=json); charset=utf-8$/, "");
  const { code: _, ...problem } = type?.includes("json") ? JSON.parse(body) : { body };
  return { type, problem, isLimit: problem["violated-policies"] !== undefined };
}

function headersOf([, headers]: Asked): Record<string, string> {
  return { host: "shop.example", "x-forwarded-for": "192.0.2.1", ...headers };
}

async function viaHost(base: string, asked: Asked) {
  const [path, , method = "GET"] = asked;
  return seen(base, { path, method, headers: headersOf(asked) });
}

async function viaAuth(base: string, asked: Asked) {
  const [target, , method = "GET"] = asked;
  const { host, ...headers } = headersOf(asked);
  const named = {
    "x-forwarded-method": method,
    "x-forwarded-uri": target,
    "x-forwarded-host": host,
  };
  return seen(base, { path: "/auth/caddy", headers: { ...headers, ...named } as never });
}

describe.each(Object.keys(HOSTS))("on %s", (name) => {
  it("rules answer as /auth does, request by request", async () => {
    const base = await HOSTS[name]?.(await opened(RULES));
    const { url } = await serve(RULES);
    const pairs: unknown[] = [];
    const expected: unknown[] = [];
    for (const asked of REQUESTS) {
      pairs.push([asked, await viaHost(base as string, asked)]);
      expected.push([asked, await viaAuth(url, asked)]);
    }
    expect(pairs).toEqual(expected);
  });
});

const START_ROUTE = HOSTS["node:http"] as (typeof HOSTS)[string];
const statusOf = async (base: string, path = "/") => (await viaHost(base, [path])).status;

const EACH = (units: number) => `
domain: shop
http: [{ actions: [{ remote_address: {} }] }]
descriptors: [{ key: remote_address, rate_limit: { unit: day, requests_per_unit: ${units} } }]
`;

describe("the file", () => {
  it("is read again when it changes, and a broken one changes nothing", async () => {
    const problems = new Events<string>();
    const file = ruleFile(EACH(1));
    const limits = await rules(file, { clock: () => START, onProblem: problems.add });
    atEnd(() => limits.close());
    const base = await START_ROUTE(limits);
    expect([await statusOf(base), await statusOf(base)]).toEqual([200, 429]);
    for (const broken of [EACH(5).replace("unit: day", "unit: dy"), "domain: shop"]) {
      rename(file, broken);
      await problems.next();
      expect(limits.problem).toMatch(/bad-unit|no http section/);
      expect(await statusOf(base)).toBe(429);
    }
    rename(file, EACH(2));
    while (limits.problem !== undefined) await new Promise(setImmediate);
    expect([await statusOf(base), await statusOf(base)]).toEqual([200, 429]);
  });

  it.each([
    ["domain: shop", {}, "found no http section, expected one"],
    [EACH(1), { domain: "other" }, "found http sections of shop, expected one of other"],
  ])("without the section is refused: %#", async (text, options, message) => {
    const opening = rules(ruleFile(text), options);
    await expect(opening).rejects.toMatchObject({ code: "no-http-section" });
    await expect(opening).rejects.toThrow(message);
  });
});

const IN_FLIGHT = `
domain: shop
http: [{ actions: [{ generic_key: { descriptor_value: all } }] }]
descriptors:
  - { key: generic_key, rate_limit: { kind: concurrency, capacity: 1, ttl: 60s } }
`;

it("a concurrency limit holds its unit until the response is over", async () => {
  const limits = await opened(IN_FLIGHT);
  let end = () => {};
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const base = await startNode(limits, async () => {
    await mayEnd;
    return undefined;
  });
  const first = viaHost(base, ["/"]);
  while ((await inFlight(limits)) === 0) await new Promise(setImmediate);
  const refused = await fetch(base);
  // An estimate: its ttl is a minute.
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  end();
  expect((await first).status).toBe(200);
  while ((await inFlight(limits)) > 0) await new Promise(setImmediate);
  expect(await statusOf(base)).toBe(200);
});

it("a handler settles the unit by the units really used", async () => {
  const limits = await opened(EACH(100));
  const base = await startNode(limits, async ({ spillway }) => spillway.settle(40));
  await statusOf(base);
  const entries = [{ key: "remote_address", value: "192.0.2.1" }];
  const { values } = await limits.service.value({ domain: "shop", descriptors: [{ entries }] });
  expect(values[0]?.remaining).toBe(60);
});

it("an unknown option is refused, with the one that was meant", async () => {
  const opening = rules(ruleFile(EACH(1)), { domian: "shop" } as never);
  await expect(opening).rejects.toMatchObject({ code: "unknown-option" });
  await expect(opening).rejects.toThrow('unknown option "domian"');
  await expect(opening).rejects.toThrow("Did you mean domain?");
});

it("in shadow, a route refuses nothing and shows nothing", async () => {
  const limits = await opened(RULES);
  const base = await startNode(limits, async () => undefined, { shadow: true });
  const expected = { status: 200, headers: SEEN.map(() => undefined), refusal: undefined };
  for (const path of ["/closed", "/%00"]) expect(await viaHost(base, [path])).toEqual(expected);
});

it("without a client's address, a limit by address refuses instead of passing", async () => {
  const limits = await opened(EACH(100));
  const base = await startNode(limits, async () => undefined, {
    peer: () => undefined,
    trust: undefined,
  });
  expect(await statusOf(base)).toBe(500);
});

it("a list beside others, and a connection, are refused", async () => {
  const limits = await opened(EACH(1));
  const limiter = new RateLimiter({ a: { kind: "token bucket", rate: 1, period: "1s" } });
  const mixed = { limits: [{ limit: "a" }, limits] } as never;
  expect(() => limited(limiter, mixed, () => {})).toThrow('unknown field "take"');
  const server = { emit: () => true } as never;
  for (const limit of [limitUpgrades, limitConnections as typeof limitUpgrades]) {
    for (const each of [limits, [limits], [{ limit: "a" }, limits]]) {
      const refused = () => limit(server, limiter, { limits: each } as never);
      expect(refused).toThrow("watchRules() takes its numbers from rule files");
    }
  }
});

async function inFlight({ service }: RuleLimits): Promise<number> {
  const entries = [{ key: "generic_key", value: "all" }];
  const { values } = await service.value({ domain: "shop", descriptors: [{ entries }] });
  return 1 - (values[0]?.remaining ?? 1);
}
