/** Hono: the table of behaviour, and what is Hono's alone. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ServerType, serve, upgradeWebSocket } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { expect, expectTypeOf, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { RouteDecision } from "../../../src/http/guard/index.ts";
import { limited } from "../../../src/http/middleware/hono/index.ts";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { until } from "../../servers/until.ts";
import { describeBehaviour } from "./behaviour.ts";
import { honoHost } from "./hosts/hono.ts";
import { describeRaces } from "./races.ts";

describeBehaviour(honoHost);
describeRaces(honoHost);

const limiterOf = () =>
  new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });

/** What runtimes pass beside a request, all of the same client. */
const BINDINGS: readonly (readonly [runtime: string, env: object])[] = [
  ["node", { incoming: { socket: { remoteAddress: "203.0.113.7" } } }],
  [
    "node, in a name of its own",
    { server: { incoming: { socket: { remoteAddress: "203.0.113.7" } } } },
  ],
  ["Deno", { remoteAddr: { hostname: "203.0.113.7" } }],
  ["Bun", { requestIP: () => ({ address: "203.0.113.7" }) }],
  ["Bun, in a name of its own", { server: { requestIP: () => ({ address: "203.0.113.7" }) } }],
];

test.each(BINDINGS)("the address as %s tells it", async (_, env) => {
  const limiter = limiterOf();
  const app = new Hono().get("/", limited(limiter, { limit: "search" }), (c) => c.text("ok"));
  expect((await app.request("/", {}, env)).status).toBe(200);
  expect(limiter.value("search", { key: "203.0.113.7" }).remaining).toBe(0);
});

test("without an address, nobody shares a budget", async () => {
  const app = new Hono();
  app.use(limited(limiterOf(), { limit: "search", warn: () => {} }));
  app.get("/", (c) => c.text("ok"));
  expect((await app.request("/")).status).toBe(500);
});

test("headers of other middlewares stay, on what is admitted and on what is refused", async () => {
  const app = new Hono();
  app.use(cors({ origin: "https://a.example", exposeHeaders: ["X-Page", "X-Total"] }));
  app.use(limited(limiterOf(), { limit: "search", key: "all" }));
  app.get("/", (c) => c.text("ok"));
  const get = () => app.request("/", { headers: { origin: "https://a.example" } });
  for (const status of [200, 429]) {
    const response = await get();
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://a.example");
    expect(response.headers.get("ratelimit")).toMatch(/^"search";r=0/);
    const exposed = response.headers.get("access-control-expose-headers");
    expect(exposed).toBe("X-Page,X-Total, Retry-After, RateLimit-Policy, RateLimit");
  }
});

test("headers that are set for what comes after are on a refusal too, which says itself what it has to", async () => {
  const app = new Hono();
  app.use(async (c, next) => {
    c.header("X-Request-Id", "7");
    c.header("Cache-Control", "public, max-age=60");
    await next();
  });
  app.get("/", limited(limiterOf(), { limit: "search", key: "all" }), (c) => c.text("ok"));
  expect((await app.request("/")).headers.get("cache-control")).toBe("public, max-age=60");
  const refused = await app.request("/");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-request-id")).toBe("7");
  expect(refused.headers.get("cache-control")).toBe("no-store");
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
});

test("a response that can't be changed, as one that fetch has brought, gets the headers too", async () => {
  const app = new Hono();
  const brought = () => fetch("data:text/plain,brought");
  app.get("/", limited(limiterOf(), { limit: "search", key: "all" }), brought);
  const response = await app.request("/");
  expect(await response.text()).toBe("brought");
  expect(response.headers.get("content-type")).toBe("text/plain");
  expect(response.headers.get("ratelimit")).toMatch(/^"search"/);
});

test("a lease lasts until the WebSocket closes that @hono/node-server has opened", async () => {
  const limiter = new RateLimiter({ chats: { kind: "concurrency", capacity: 1, ttl: MINUTE } });
  const left = () => limiter.value("chats", { key: "all" }).remaining;
  const app = new Hono();
  app.use(limited(limiter, { limit: "chats", key: "all" }));
  app.get(
    "/chat",
    upgradeWebSocket(() => ({ onMessage: (_, socket) => socket.send("heard") })),
  );
  const websocket = { server: new WebSocketServer({ noServer: true }) as never };
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, websocket }, () => resolve(started));
  });
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`);
  await once(socket, "open");
  socket.send("hello");
  await once(socket, "message");
  expect(left()).toBe(0);
  const [refused] = await once(new WebSocket(`ws://127.0.0.1:${port}/chat`), "error");
  expect((refused as Error).message).toContain("429");
  socket.close();
  await until(() => left() === 1, { what: "the lease is back" });
  await once(server.close(), "close");
});

test("types: the decision, and functions of contexts", () => {
  expectTypeOf<Context["var"]["spillway"]>().toEqualTypeOf<RouteDecision>();
  const limiter = limiterOf();
  // @ts-expect-error there is no such limit
  const unknown = () => limited(limiter, { limit: "serch" });
  expect(unknown).toThrow();
  const key = (c: Context) => c.req.param("team") ?? "nobody";
  new Hono<{ Bindings: { TOKEN: string } }>().get(
    "/:team",
    limited(limiter, { limit: "search", key }),
    limited(limiter, { limit: "search", count: (c) => Object.keys(c.req.query()).length + 1 }),
    (c) => c.json({ left: c.var.spillway.decision?.remaining, token: c.env.TOKEN }),
  );
});
