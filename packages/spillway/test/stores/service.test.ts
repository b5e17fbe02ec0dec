/** The client's side of a store that is a service: what it sends, and what it makes of any answer. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { type Limits, RateLimiter } from "../../src/index.ts";
import { type ServiceStoreOptions, serviceStore } from "../../src/stores/service/index.ts";

const limits = {
  login: { kind: "token bucket", rate: 5, period: "1h" },
  smooth: { kind: "token bucket", rate: 5, period: "1h", whenUnavailable: "open" },
  jobs: { kind: "concurrency", capacity: 3, ttl: "1m" },
} as const satisfies Limits;

type Seen = { readonly body: Record<string, unknown>; readonly request: IncomingMessage };
type Answer = (seen: Seen, response: ServerResponse) => void;

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers as told, and a limiter over it. */
async function over(answer: Answer, options: ServiceStoreOptions = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const one = { body: (await json(request)) as Seen["body"], request };
    seen.push(one);
    answer(one, response);
  });
  open.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const store = serviceStore(url, { deadline: 10_000, warn, ...options });
  return { limiter: new RateLimiter(limits, { store }), seen, warnings, url };
}

const reply =
  (body: unknown, status = 200): Answer =>
  (_seen, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const OK = { ok: true, capacity: 5, remaining: 4, retryAfter: 0, resetAfter: 720_000 };
const decided = (...all: readonly object[]) => ({
  outcomes: all.map((one) => ({ decisions: [one] })),
});
const DEGRADED = { ok: false, reason: "unavailable", degraded: true };

describe("a request", () => {
  test("says all of the limits, the budgets and the token", async () => {
    const { limiter, seen } = await over(reply(decided(OK)), { token: "s3cret", prefix: "shop" });
    expect(await limiter.limit("login", { key: "ann", count: 2 })).toEqual({
      ...OK,
      limit: "login",
      reason: undefined,
      degraded: undefined,
    });
    expect(seen[0]?.request).toMatchObject({ method: "POST", url: "/v1/commands" });
    expect(seen[0]?.request.headers).toMatchObject({ authorization: "Bearer s3cret" });
    const limit = { kind: "token bucket", rate: 5, period: 3_600_000, capacity: 5 };
    expect(seen[0]?.body).toEqual({
      prefix: "shop",
      limits: [{ name: "login", limit: { ...limit, whenUnavailable: "closed" } }],
      commands: [{ verb: "limit", budgets: [{ limit: 0, key: "ann", count: 2 }] }],
    });
  });

  test("is shared by all that is asked in a turn", async () => {
    const { limiter, seen } = await over(reply(decided(OK, OK, OK)));
    await Promise.all(["a", "b", "c"].map((key) => limiter.limit("login", { key })));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body).toMatchObject({ limits: [{ name: "login" }] });
  });

  test("goes below a path that a gateway gives the service", async () => {
    const { url, seen } = await over(reply(decided(OK)));
    const below = serviceStore(new URL("/limits/", url), { deadline: 10_000 });
    await new RateLimiter(limits, { store: below }).limit("login", { key: "ann" });
    expect(seen[0]?.request.url).toBe("/limits/v1/commands");
  });

  test("is sent once, even where the connection is closed in place of an answer", async () => {
    const { limiter, seen } = await over((_seen, response) => response.destroy());
    expect(await limiter.limit("login", { key: "ann" })).toMatchObject(DEGRADED);
    expect(await limiter.limit("smooth", { key: "ann" })).toMatchObject({
      ok: true,
      degraded: true,
    });
    expect(seen).toHaveLength(2);
  });

  test("is not sent to another place that the answer names", async () => {
    const elsewhere = await over(reply(decided(OK)));
    const { limiter } = await over((_seen, response) =>
      response.writeHead(307, { location: `${elsewhere.url}/v1/commands` }).end(),
    );
    expect(await limiter.limit("login", { key: "ann" })).toMatchObject(DEGRADED);
    expect(elsewhere.seen).toHaveLength(0);
  });
});

describe("an answer", () => {
  const malformed = {
    "no outcomes": {},
    null: null,
    "too few outcomes": { outcomes: [] },
    "an outcome that is none": { outcomes: [null] },
    "the outcome of another verb": { outcomes: [{ held: true }] },
    "too few decisions": { outcomes: [{ decisions: [] }] },
    "decisions that are none": { outcomes: [{ decisions: [{ ok: "yes" }] }] },
    "numbers that are none": decided({ ...OK, remaining: "4" }),
    "an error": { outcomes: [{ error: "unavailable" }] },
  };
  for (const [name, body] of Object.entries(malformed)) {
    test(`with ${name} admits nothing under a limit that is closed`, async () => {
      const { limiter } = await over(reply(body));
      expect(await limiter.limit("login", { key: "ann" })).toMatchObject(DEGRADED);
    });
  }

  test("that is lost has the lease released that it may have granted", async () => {
    const released = Promise.withResolvers<unknown>();
    const { limiter } = await over(({ body }, response) => {
      const [command] = body.commands as [{ verb: string; lease: unknown }];
      if (command.verb === "limit") return response.destroy();
      released.resolve(command.lease);
      reply({ outcomes: [{ held: true }] })({} as Seen, response);
    });
    const lease = await limiter.acquire("jobs", { key: "ann", count: 2 });
    expect(lease).toMatchObject(DEGRADED);
    expect(await released.promise).toEqual({ id: expect.any(Number), count: 2 });
  });

  test("that refuses the request as wrong is no outage: even open limits refuse", async () => {
    const problem = { detail: "Found something else" };
    const { limiter, warnings } = await over(reply(problem, 400));
    for (const key of ["a", "b"]) {
      expect(await limiter.limit("smooth", { key })).toMatchObject(DEGRADED);
    }
    expect(warnings).toEqual([expect.stringMatching(/responded 400: Found something else/)]);
    expect(warnings[0]).toContain("rejects requests of this program as invalid");
  });

  test.each([
    ["as a problem", (secret: string) => reply({ detail: `no: token=${secret}` }, 401)],
    ["as another document", (secret: string) => reply({ why: `redis://ann:${secret}@b` }, 403)],
  ])("that has a secret in it, %s, is warned of without it", async (_, answer) => {
    const secret = "hunter2-of-the-database";
    const { limiter, warnings } = await over(answer(secret));
    expect(await limiter.limit("login", { key: "ann" })).toMatchObject(DEGRADED);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("***");
    expect(warnings[0]).not.toContain("hunter2");
  });

  test("that refuses the token is reported once, and says where it comes from", async () => {
    const { limiter, warnings } = await over(reply({ detail: "no" }, 401), { token: "wrong" });
    await limiter.limit("login", { key: "a" });
    await limiter.limit("login", { key: "b" });
    expect(warnings).toEqual([
      expect.stringMatching(/responded 401\. .*SPILLWAY_STORE_TOKEN.*: no\b/),
    ]);
    expect(warnings.join()).not.toContain("wrong");
  });
});

describe("misuse", () => {
  const wrong: readonly [unknown, string][] = [
    ["localhost:8080", "url"],
    ["redis://localhost", "url"],
    ["http://user:secret@localhost", "url"],
    ["http://localhost?x", "url"],
    [undefined, "url"],
    [{}, "url"],
  ];
  test.each(wrong)("%j is no URL of a service", (url, field) => {
    expect(() => serviceStore(url as string)).toThrow(expect.objectContaining({ field }));
  });

  test.each([
    [{ prefix: "a b" }, "prefix"],
    [{ prefix: "" }, "prefix"],
    [{ token: "two words" }, "token"],
    [{ token: "" }, "token"],
    [{ fetch: "fetch" }, "fetch"],
    [{ warn: 1 }, "warn"],
    [{ deadline: 0 }, "deadline"],
    [{ denialCache: true }, "denialCache"],
  ])("%j is refused", (options, field) => {
    const make = () => serviceStore("http://localhost", options as ServiceStoreOptions);
    expect(make).toThrow(expect.objectContaining({ field }));
  });

  test("shows no token and no password", () => {
    const secret = "hush-hush now";
    const make = () => serviceStore("http://localhost", { token: secret });
    expect(make).toThrow(expect.not.stringContaining(secret));
    expect(() => serviceStore("http://a:hush@localhost")).toThrow(/^(?!.*hush)/s);
  });

  test("an empty token, as of a variable that is not set, is said to be one", () => {
    const make = () => serviceStore("http://localhost", { token: "" });
    expect(make).toThrow(/^token is a text of 0 characters.* Is SPILLWAY_STORE_TOKEN set here\?/);
  });

  test("has no transactions", async () => {
    const { limiter } = await over(reply({}));
    expect(() => limiter.within({})).toThrow(expect.objectContaining({ code: "no-transactions" }));
  });
});
