/** `rules`: an `http` section as the limits of a route, with the answers of `/auth`. */
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { RateLimiter } from "spillway";
import type { Guard } from "spillway/guard";
import { limited } from "spillway/node";
import { limitConnections, limitUpgrades } from "spillway/sockets";
import { describe, expect, it } from "vitest";
import { type RuleLimits, type RuleLimitsOptions, rules } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { START, serve } from "../../support/service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { Events, rename, ruleFile } from "./program-scene.ts";
import { HOSTS, listen } from "./rule-hosts.ts";

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

async function opened(text: string, options: RuleLimitsOptions = {}): Promise<RuleLimits> {
  const found = await rules(ruleFile(text), { clock: () => START, ...options });
  atEnd(() => found.close());
  return found;
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
  expect(await statusOf(base)).toBe(429);
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

/** Meets the limits a and b, of which a has no room. */
const QUOTAS = `
domain: shop
http:
  - actions: [{ generic_key: { descriptor_value: a } }]
  - actions: [{ generic_key: { descriptor_value: b } }]
descriptors:
  - key: generic_key
    value: a
    quota_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 1 }
  - key: generic_key
    value: b
    quota_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 100 }
`;

it("a quota without room receives no unit, and is not settled in place of one with room", async () => {
  const limits = await opened(QUOTAS);
  const base = await startNode(limits, ({ spillway }) => spillway.settle(0, "shop/generic_key=a"));
  await statusOf(base);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([1, 99]);
  const charging = await startNode(limits, () => undefined);
  await statusOf(charging);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([0, 98]);
  await statusOf(base);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([0, 97]);
  const settling = await startNode(limits, ({ spillway }) => spillway.settle(40));
  expect(await statusOf(settling)).toBe(200);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([0, 57]);
});

/** A rate below a concurrency limit that has less left, a limit in shadow, and quotas. */
const RETURNED = `
domain: shop
http:
  - actions: [{ generic_key: { descriptor_value: below } }, { method: {} }]
  - actions: [{ generic_key: { descriptor_value: tried } }]
  - actions: [{ generic_key: { descriptor_value: full } }]
  - actions: [{ generic_key: { descriptor_value: b } }]
descriptors:
  - key: generic_key
    value: below
    rate_limit: { kind: concurrency, capacity: 5, ttl: 60s }
    descriptors:
      - key: method
        rate_limit: { kind: token bucket, unit: day, requests_per_unit: 50, also: parent }
  - key: generic_key
    value: tried
    shadow_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 50 }
  - { key: generic_key, value: full, quota_mode: true, rate_limit: { kind: token bucket, unit: day, requests_per_unit: 1 } }
  - { key: generic_key, value: b, quota_mode: true, rate_limit: { kind: token bucket, unit: day, requests_per_unit: 50 } }
`;

it("units that are given back are those that were taken, of limits in shadow too", async () => {
  const limits = await opened(RETURNED);
  const method = { key: "method", value: "GET" };
  const now = () =>
    Promise.all([
      left(limits, "below", [method]),
      left(limits, "tried"),
      left(limits, "full"),
      left(limits, "b"),
    ]);
  const request = requestOf("/");
  // The last unit of the quota "full".
  const first = await found(limits, request);
  first.end?.();
  expect(await now()).toEqual([5, 49, 0, 49]);
  const second = await found(limits, request);
  second.end?.();
  await second.giveBack();
  expect(await now()).toEqual([5, 49, 0, 49]);
  expect(await rateLeft(limits, method)).toBe(49);
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
  for (const limit of [limitUpgrades, limitConnections]) {
    for (const each of [limits, [limits], [{ limit: "a" }, limits]]) {
      const refused = () => limit(server, limiter, { limits: each } as never);
      expect(refused).toThrow("watchRules() takes its numbers from rule files");
    }
  }
});

const TOKENS = `
domain: shop
jwt_providers:
  - { name: login, issuer: "https://login.example", jwks_file: KEYS }
http: [{ actions: [{ jwt_claims: { claim_path: [plan], descriptor_key: plan } }] }]
descriptors: [{ key: plan, rate_limit: { unit: day, requests_per_unit: 1 } }]
`;

it.each([false, true])("keys that are not known are reported, in shadow %s", async (shadow) => {
  const limits = await opened(TOKENS.replace("KEYS", "/nowhere/keys.json"));
  const events: { readonly type: string; readonly field?: string; readonly error?: unknown }[] = [];
  const onEvent = (event: (typeof events)[number]) => void events.push(event);
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const bearer = { authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.e30.AA" };
  for (const options of [{ onEvent }, { onEvent: undefined, warn }]) {
    const base = await startNode(limits, () => undefined, { shadow, ...options });
    expect((await viaHost(base, ["/", bearer])).status).toBe(shadow ? 200 : 503);
    expect((await viaHost(base, ["/%00"])).status).toBe(shadow ? 200 : 400);
  }
  expect(events).toEqual([expect.objectContaining({ type: "failed", field: "limits" })]);
  expect(warnings).toEqual([expect.stringContaining("limits of a route failed: ")]);
});

it("an unknown option is refused, with the one that was meant", async () => {
  const opening = rules(ruleFile(EACH(1)), { domian: "shop" } as never);
  await expect(opening).rejects.toMatchObject({ code: "unknown-option" });
  await expect(opening).rejects.toThrow('unknown option "domian"');
  await expect(opening).rejects.toThrow("Did you mean domain?");
});

it("tokens are verified by the clock of the rules", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const keys = join(temporaryDirectory(), "keys.json");
  writeFileSync(
    keys,
    JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), alg: "EdDSA" }] }),
  );
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  // Valid at the clock's time alone, which is not the machine's.
  const exp = START / 1000 + 60;
  const signed = `${part({ alg: "EdDSA" })}.${part({ iss: "https://login.example", plan: "free", exp })}`;
  const signature = sign(null, Buffer.from(signed), privateKey).toString("base64url");
  const limits = await opened(TOKENS.replace("KEYS", keys));
  const base = await startNode(limits, () => undefined);
  const bearer = { authorization: `Bearer ${signed}.${signature}` };
  const statuses: number[] = [];
  for (let each = 0; each < 2; each++) statuses.push((await viaHost(base, ["/", bearer])).status);
  expect(statuses).toEqual([200, 429]);
});

type Decided = { readonly spillway: NonNullable<Awaited<ReturnType<Guard<never>["enter"]>>> };

/** Starts a server of `node:http` whose handler waits for a function. */
function startNode(
  limits: RuleLimits,
  handle: (request: Decided) => unknown,
  options: object = {},
): Promise<string> {
  const handler = limited(
    new RateLimiter({}),
    { limits, trust: 1, onEvent: () => {}, ...options } as never,
    async (request: Decided, response: ServerResponse) => {
      await handle(request);
      response.end();
    },
  );
  return listen(handler as never);
}

/** The units left of a limit by its generic key. */
async function left(
  { service }: RuleLimits,
  value: string,
  more: readonly { key: string; value: string }[] = [],
): Promise<number | undefined> {
  const entries = [{ key: "generic_key", value }, ...more];
  const { values } = await service.value({ domain: "shop", descriptors: [{ entries }] });
  return values[0]?.remaining;
}

/** The units left of the rate below a concurrency limit, which has less. */
async function rateLeft({ service }: RuleLimits, method: { key: string; value: string }) {
  const entries = [{ key: "generic_key", value: "below" }, method];
  const { values } = await service.ownValue({ domain: "shop", descriptors: [{ entries }] });
  return values[0]?.remaining;
}

type Parts = Parameters<RuleLimits["take"]>[0];

function requestOf(target: string): Parts {
  const address = "192.0.2.1";
  const parts = { method: "GET", target, host: "", header: () => undefined };
  return { ...parts, address, network: () => address } as never;
}

async function found(limits: RuleLimits, request: Parts) {
  const units = await limits.take(request);
  if (units === undefined || "problem" in units) throw new Error("expected units");
  return units;
}

async function inFlight({ service }: RuleLimits): Promise<number> {
  const entries = [{ key: "generic_key", value: "all" }];
  const { values } = await service.value({ domain: "shop", descriptors: [{ entries }] });
  return 1 - (values[0]?.remaining ?? 1);
}
