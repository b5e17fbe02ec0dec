/** Proxies that ask first: `/auth/…`. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Redis } from "ioredis";
import { redisStore } from "spillway/redis";
import { describe, expect, it } from "vitest";
import { createService, parseRules } from "../../../src/index.ts";
import { PROXIES } from "../../../src/transports/http-api/auth/original-request.ts";
import { rulesOf } from "../../support/rules.ts";
import { serve, type TestServer } from "../../support/service.ts";

const RULES = `
domain: shop
http:
  - actions: [{ remote_address: {} }]
  - match: { path: "/users/{id}" }
    actions: [{ generic_key: { descriptor_value: users } }, { method: {} }]
  - match: { path: /tried }
    actions: [{ generic_key: { descriptor_value: shadow } }]
  - match: { path: /off }
    actions: [{ generic_key: { descriptor_value: off } }]
  - match: { path: /reports }
    actions: [{ generic_key: { descriptor_value: reports } }]
  - match: { path: /free }
    actions: [{ generic_key: { descriptor_value: free } }]
  - match: { path: /closed }
    actions: [{ generic_key: { descriptor_value: closed } }]
descriptors:
  - { key: remote_address, rate_limit: { unit: minute, requests_per_unit: 3 } }
  - key: generic_key
    value: users
    descriptors: [{ key: method, rate_limit: { unit: hour, requests_per_unit: 2 } }]
  - { key: generic_key, value: shadow, rate_limit: { unit: minute, requests_per_unit: 0, mode: shadow } }
  - { key: generic_key, value: "off", rate_limit: { unit: minute, requests_per_unit: 0, mode: "off" } }
  - { key: generic_key, value: reports, rate_limit: { kind: concurrency, capacity: 3, ttl: 30s } }
  - { key: generic_key, value: free, rate_limit: { unlimited: true } }
  - { key: generic_key, value: closed, rate_limit: { unit: minute, requests_per_unit: 0 } }
`;

type Proxy = keyof typeof PROXIES;
type AskOptions = {
  readonly proxy?: Proxy;
  readonly query?: string;
  readonly method?: string;
  readonly target?: string;
  readonly address?: string;
  readonly without?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly init?: RequestInit;
};

/** Asks as a proxy does. */
async function ask({ url }: TestServer, asked: AskOptions = {}): Promise<Response> {
  const {
    proxy = "nginx",
    query = "",
    method = "GET",
    target = "/",
    address = "192.0.2.1",
  } = asked;
  const named = PROXIES[proxy];
  const headers: Record<string, string> = {
    [named.method]: method,
    [named.target]: target,
    [named.host]: "shop.example",
    "X-Forwarded-For": address,
    ...asked.headers,
  };
  if (asked.without !== undefined) delete headers[asked.without];
  return fetch(`${url}/auth/${proxy}${query}`, { headers, ...asked.init });
}

async function codeOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { readonly code: string };
  return `${response.status} ${code}`;
}

describe.each(Object.keys(PROXIES) as Proxy[])("/auth/%s", (proxy) => {
  it("takes from every limit of the request, and says what is left", async () => {
    const server = await serve(RULES);
    const first = await ask(server, { proxy, target: "/users/7" });
    expect(first.status).toBe(200);
    expect(first.headers.get("ratelimit-policy")).toBe(
      '"shop/generic_key=users/method";q=2;w=3600, "shop/remote_address";q=3;w=60',
    );
    expect(first.headers.get("ratelimit")).toBe(
      '"shop/generic_key=users/method";r=1;t=3588, "shop/remote_address";r=2;t=48',
    );
    expect(await first.text()).toBe("");
    await ask(server, { proxy, target: "/users/8" });
    const refused = await ask(server, { proxy, target: "/USERS/9/" });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3588");
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(refused.headers.get("ratelimit")).toBe('"shop/generic_key=users/method";r=0;t=3588');
    expect(refused.headers.get("content-type")).toContain("application/problem+json");
    expect(await refused.json()).toMatchObject({
      type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
      status: 429,
      detail: "Try again in 3588 seconds.",
      "violated-policies": ["shop/generic_key=users/method"],
    });
    // A refusal has cost the other limit nothing.
    const other = await ask(server, { proxy, target: "/other" });
    expect(other.headers.get("ratelimit")).toBe('"shop/remote_address";r=0;t=48');
  });

  it("answers every method alike, and reads no body", async () => {
    const server = await serve(RULES);
    for (const method of ["POST", "PUT", "OPTIONS"]) {
      const init = { method, ...(method === "OPTIONS" ? {} : { body: "{" }) };
      expect((await ask(server, { proxy, init })).status).toBe(200);
    }
    expect((await ask(server, { proxy })).status).toBe(429);
  });

  it("refuses a request that the proxy does not describe, and takes nothing", async () => {
    const server = await serve(RULES);
    const named = PROXIES[proxy];
    for (const without of [named.method, named.target, named.host, "X-Forwarded-For"]) {
      expect(await codeOf(await ask(server, { proxy, without }))).toBe("400 bad-request");
    }
    for (const address of ["", "unix:", "shop.example", "192.0.2.1, unknown"]) {
      expect(await codeOf(await ask(server, { proxy, address }))).toBe("400 bad-request");
    }
    for (const target of ["/%00", "/%zz", "/a/..%2Fb", "/;/a"]) {
      expect(await codeOf(await ask(server, { proxy, target }))).toBe("400 bad-request");
    }
    expect((await ask(server, { proxy })).headers.get("ratelimit")).toContain("r=2");
  });

  it("reads no headers of other proxies", async () => {
    const server = await serve(RULES);
    const others = Object.values(PROXIES).filter(({ target }) => target !== PROXIES[proxy].target);
    const headers = Object.fromEntries(
      others.flatMap((other) => [
        [other.method, "DELETE"],
        [other.target, "/closed"],
        [other.host, "other.example"],
      ]),
    );
    expect((await ask(server, { proxy, headers })).status).toBe(200);
  });
});

describe("the client's address", () => {
  const left = async (server: TestServer, asked: AskOptions) =>
    /r=(\d)/.exec((await ask(server, asked)).headers.get("ratelimit") ?? "")?.[1];

  it("is the last one, or by hops one further to the left", async () => {
    const server = await serve(RULES);
    expect(await left(server, { address: "198.51.100.1, 192.0.2.1" })).toBe("2");
    expect(await left(server, { address: "198.51.100.2, 192.0.2.1" })).toBe("1");
    expect(await left(server, { address: "192.0.2.1, 198.51.100.2", query: "?hops=2" })).toBe("0");
    expect(await left(server, { address: "198.51.100.9", query: "?hops=2" })).toBe("2");
  });

  it("of IPv6 is its network, and of a mapped one is the IPv4 address", async () => {
    const server = await serve(RULES);
    expect(await left(server, { address: "2001:db8::1" })).toBe("2");
    expect(await left(server, { address: "2001:db8::ffff:1" })).toBe("1");
    expect(await left(server, { address: "::ffff:192.0.2.1" })).toBe("2");
    expect(await left(server, { address: "192.0.2.1" })).toBe("1");
  });
});

describe("a header that is repeated", () => {
  const KEYED = `
domain: shop
http: [{ actions: [{ request_headers: { header_name: x-api-key, descriptor_key: api_key } }] }]
descriptors: [{ key: api_key, rate_limit: { unit: minute, requests_per_unit: 3 } }]
`;

  /** Sends each value as a header of its own, which `fetch` does not. */
  async function statusFor({ url }: TestServer, more: Record<string, string[]>) {
    const { method, target, host } = PROXIES.nginx;
    const set = { [method]: "GET", [target]: "/", [host]: "h", "X-Forwarded-For": "192.0.2.1" };
    const sent = request(`${url}/auth/nginx`, { headers: { ...set, ...more } }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  it("is refused if the rules read it, since servers read different ones", async () => {
    const server = await serve(KEYED);
    expect(await statusFor(server, { "x-api-key": ["a"], "x-other": ["1", "2"] })).toBe(200);
    expect(await statusFor(server, { "x-api-key": ["a", "junk"] })).toBe(400);
    expect(await statusFor(server, { "X-Original-URI": ["/", "/free"] })).toBe(400);
    expect(await statusFor(server, { cookie: ["a=1", "b=2"] })).toBe(200);
  });

  it("says what a refusal may be, if it is Accept", async () => {
    const server = await serve(KEYED);
    const accept = ["text/html", "application/json;q=0.5"];
    const asked = { "x-api-key": ["k"], accept };
    const statuses: unknown[] = [];
    while (statuses.length < 4) statuses.push(await statusFor(server, asked));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe("limits", () => {
  it("in shadow mode, off or unlimited refuse nothing, and headers don't name them", async () => {
    const server = await serve(RULES);
    for (const [index, target] of ["/tried", "/off", "/free"].entries()) {
      const response = await ask(server, { target });
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit")).toBe(`"shop/remote_address";r=${2 - index};t=48`);
    }
  });

  it("that refuse everything have no time to wait", async () => {
    const refused = await ask(await serve(RULES), { target: "/closed" });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBeNull();
  });

  it("of requests in flight are refused before anything is taken", async () => {
    const server = await serve(RULES);
    expect(await codeOf(await ask(server, { target: "/reports" }))).toBe("400 wrong-kind");
    expect((await ask(server)).headers.get("ratelimit")).toContain("r=2");
  });
});

describe("?refuse", () => {
  it("replaces the status of every refusal, and a header has the true one", async () => {
    const server = await serve(RULES);
    const refused = await ask(server, { target: "/closed", query: "?refuse=403" });
    expect([refused.status, refused.headers.get("spillway-status")]).toEqual([403, "429"]);
    const bad = await ask(server, { target: "/%00", query: "?refuse=403" });
    expect([bad.status, bad.headers.get("spillway-status")]).toEqual([403, "400"]);
    const passed = await ask(server, { query: "?refuse=403" });
    expect([passed.status, passed.headers.get("spillway-status")]).toEqual([200, null]);
  });

  it.each(["?refuse=200", "?refuse=302", "?refuse=4033", "?hops=0", "?hops=9", "?hops=1&hops=2"])(
    "%s is refused",
    async (query) =>
      expect(await codeOf(await ask(await serve(RULES), { query }))).toBe("400 bad-field"),
  );

  it("an unknown parameter is refused", async () => {
    const response = await ask(await serve(RULES), { query: "?a" });
    expect(await codeOf(response)).toBe("400 unknown-field");
  });
});

describe("?domain", () => {
  it("may be left out if one file has an http section", async () => {
    const server = await serve(RULES);
    expect((await ask(server, { query: "?domain=shop" })).status).toBe(200);
    const other = await ask(server, { query: "?domain=other" });
    expect(await codeOf(other)).toBe("404 unknown-domain");
    expect(await codeOf(await ask(await serve("domain: shop")))).toBe("404 unknown-domain");
  });
});

it("a domain must be named if several files have an http section", async () => {
  const files = [RULES, RULES.replace("domain: shop", "domain: other")];
  const rules = parseRules(files.map((text, index) => ({ name: `${index}.yaml`, text })));
  const server = await serve(RULES, { service: createService({ rules }) });
  expect(await codeOf(await ask(server))).toBe("400 empty-domain");
  const { headers } = await ask(server, { query: "?domain=other" });
  expect(headers.get("ratelimit")).toMatch(/^"other\/remote_address"/);
});

describe("web pages", () => {
  it.each([
    [{ Origin: "https://evil.example" }, "403 foreign-origin"],
    [{ "Sec-Fetch-Site": "same-origin" }, "403 foreign-origin"],
  ])("are refused: %s", async (headers, code) =>
    expect(await codeOf(await ask(await serve(RULES), { headers }))).toBe(code),
  );
});

it.each([
  ["closed", [503, "1", null]],
  ["open", [200, null, null]],
] as const)("without the store, %s decides", async (whenUnavailable, expected) => {
  const client = new Redis({ lazyConnect: true });
  client.disconnect();
  const service = createService({
    rules: rulesOf(RULES),
    store: redisStore(client),
    whenUnavailable,
  });
  const { status, headers } = await ask(await serve(RULES, { service }));
  expect([status, headers.get("retry-after"), headers.get("ratelimit")]).toEqual(expected);
});

it("with the whole service in shadow mode, every request passes", async () => {
  const service = createService({ rules: rulesOf(RULES), settings: { shadow: true } });
  const server = await serve(RULES, { service });
  expect((await ask(server, { target: "/closed" })).status).toBe(200);
});

it("a client that prefers HTML gets the refusal in HTML", async () => {
  const headers = { Accept: "text/html" };
  const refused = await ask(await serve(RULES), { proxy: "caddy", target: "/closed", headers });
  expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8");
});
