/** Fastify: the table of behaviour, and what is Fastify's alone. */
import { once } from "node:events";
import { connect } from "node:http2";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { expect, expectTypeOf, test } from "vitest";
import type { RouteDecision } from "../../../src/http/guard/index.ts";
import { limited, spillway } from "../../../src/http/middleware/fastify/index.ts";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { until } from "../../servers/until.ts";
import { describeBehaviour } from "./behaviour.ts";
import { fastifyHosts } from "./hosts/fastify.ts";
import { describeRaces } from "./races.ts";

for (const host of fastifyHosts) {
  describeBehaviour(host);
  describeRaces(host);
}

const limiterOf = () =>
  new RateLimiter({
    search: { kind: "token bucket", rate: 3, period: MINUTE },
    login: { kind: "token bucket", rate: 1, period: MINUTE },
    reports: { kind: "concurrency", capacity: 1, ttl: MINUTE },
  });

const ok = () => "ok";

async function statuses(app: FastifyInstance, ...urls: string[]): Promise<number[]> {
  const all: number[] = [];
  for (const url of urls) all.push((await app.inject(url)).statusCode);
  return all;
}

test("a route's own limits are in place of the plugin's", async () => {
  const limiter = limiterOf();
  const app = fastify();
  app.register(spillway, { limiter, limit: "search", key: "all", count: 2 });
  app.get("/search", ok);
  app.get("/login", { config: { spillway: { limit: "login" } } }, ok);
  app.get("/free", { config: { spillway: false } }, ok);
  app.get("/light", { config: { spillway: { skip: () => true } } }, ok);
  expect(await statuses(app, "/search", "/search")).toEqual([200, 429]);
  expect(await statuses(app, "/login", "/login")).toEqual([200, 429]);
  expect(await statuses(app, "/free", "/light")).toEqual([200, 200]);
  expect(limiter.value("search", { key: "all" }).remaining).toBe(1);
  expect(limiter.value("login", { key: "127.0.0.1" }).remaining).toBe(0);
});

test("what the plugin says of all routes holds for those with limits of their own", async () => {
  const app = fastify();
  app.register(spillway, { limiter: limiterOf(), headers: "x-ratelimit" });
  app.get("/login", { config: { spillway: { limit: "login" } } }, ok);
  const { headers } = await app.inject("/login");
  expect(headers).toMatchObject({ "x-ratelimit-remaining": "0" });
  expect(headers).not.toHaveProperty("ratelimit");
});

test("limits of the plugin count what finds no route", async () => {
  const app = fastify();
  app.register(spillway, { limiter: limiterOf(), limit: "login" });
  expect(await statuses(app, "/nowhere", "/elsewhere")).toEqual([404, 429]);
});

test("it limits the instance that registers it and those in it, and no others", async () => {
  const app = fastify();
  app.register(async (inner) => {
    inner.register(spillway, { limiter: limiterOf(), limit: "login" });
    inner.register(async (innermost) => {
      innermost.get("/inner", ok);
    });
  });
  app.get("/outer", ok);
  expect(await statuses(app, "/inner", "/inner", "/outer", "/outer")).toEqual([200, 429, 200, 200]);
});

test("HEAD of a route for GET is counted once", async () => {
  const limiter = limiterOf();
  const app = fastify();
  await app.register(spillway, { limiter });
  app.get("/", { config: { spillway: { limit: "search" } } }, ok);
  expect((await app.inject({ method: "HEAD", url: "/" })).statusCode).toBe(200);
  expect(limiter.value("search", { key: "127.0.0.1" }).remaining).toBe(2);
});

test("a setting that can't be is an error where the route is declared", async () => {
  const app = fastify();
  await app.register(spillway, { limiter: limiterOf() });
  const declare = () => app.get("/", { config: { spillway: { limit: "serch" } } }, ok);
  expect(declare).toThrow(/serch/);
});

test("a route that has settings of its own has a limit, its own or the plugin's", async () => {
  const app = fastify();
  await app.register(spillway, { limiter: limiterOf() });
  const declare = (own: object) => () => app.get("/", { config: { spillway: own } }, ok);
  expect(declare({ trust: 1 })).toThrow("`limits: []`");
  expect(declare({ trust: 1, limits: [] })).not.toThrow();
  const other = fastify();
  await other.register(spillway, { limiter: limiterOf(), limit: "login" });
  other.get("/", { config: { spillway: { trust: 1 } } }, ok);
  expect(await statuses(other, "/", "/")).toEqual([200, 429]);
});

test("where the plugin comes later, such a route is not open", async () => {
  const app = fastify();
  app.register(spillway, { limiter: limiterOf() });
  app.get("/", { config: { spillway: { limit: "serch" } } }, ok);
  expect(await statuses(app, "/")).toEqual([500]);
});

test("options that can't be are an error of the registration", async () => {
  const app = fastify();
  app.register(spillway, { limiter: limiterOf(), limit: "search", headers: "draft-7" as never });
  await expect(app.ready()).rejects.toMatchObject({ code: "bad-option" });
});

test("a second registration is an error, and another limiter is a hook", async () => {
  const app = fastify();
  await app.register(spillway, { limiter: limiterOf(), limit: "search" });
  app.register(async (inner) => {
    const again = async () => spillway(inner, { limiter: limiterOf(), limit: "login" });
    await expect(again()).rejects.toMatchObject({ code: "bad-option", field: "spillway" });
    inner.addHook("onRequest", limited(limiterOf(), { limit: "login" }));
    inner.get("/", ok);
  });
  expect(await statuses(app, "/", "/")).toEqual([200, 429]);
});

test("a key of the body, before the handler", async () => {
  const limiter = limiterOf();
  const app = fastify();
  type Login = { Body: { email: string } };
  const key = (request: FastifyRequest<Login>) => request.body.email;
  app.post<Login>("/login", { preHandler: limited(limiter, { limit: "login", key }) }, ok);
  const login = { method: "POST", url: "/login", body: { email: "ada" } } as const;
  expect((await app.inject(login)).statusCode).toBe(200);
  expect((await app.inject(login)).statusCode).toBe(429);
});

test("an answer of one's own that fails reaches the error handler", async () => {
  const app = fastify();
  app.setErrorHandler((error: Error, _, reply) => reply.code(418).send(error.message));
  const onLimited = async () => {
    throw new Error("no words");
  };
  app.get("/", { onRequest: limited(limiterOf(), { limit: "search", count: 4, onLimited }) }, ok);
  const { statusCode, body } = await app.inject("/");
  expect([statusCode, body]).toEqual([418, "no words"]);
});

test("an error handler answers as ever where a refusal's `onSend` hook fails", async () => {
  const app = fastify();
  app.setErrorHandler((error: Error, _, reply) => reply.code(500).send({ failed: error.message }));
  let failures = 1;
  app.addHook("onSend", async () => {
    if (failures-- > 0) throw new Error("no words");
  });
  app.get("/", { onRequest: limited(limiterOf(), { limit: "search", count: 4 }) }, ok);
  const { statusCode, body, headers } = await app.inject("/");
  expect([statusCode, body]).toEqual([500, '{"failed":"no words"}']);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
});

test("an answer of one's own that is sent, and returned, is sent once", async () => {
  const app = fastify();
  const onLimited = (_: FastifyRequest, reply: FastifyReply) => reply.send({ wait: true });
  app.get("/", { onRequest: limited(limiterOf(), { limit: "search", count: 4, onLimited }) }, ok);
  const { statusCode, body } = await app.inject("/");
  expect([statusCode, body]).toEqual([429, '{"wait":true}']);
});

test("a name that others expose stays exposed", async () => {
  const app = fastify();
  app.addHook("onRequest", async (_, reply) => {
    reply.header("Access-Control-Expose-Headers", "X-Page");
  });
  app.get("/", { onRequest: limited(limiterOf(), { limit: "search" }) }, ok);
  const { headers } = await app.inject({ url: "/", headers: { origin: "https://a.example" } });
  expect(headers["access-control-expose-headers"]).toBe(
    "X-Page, Retry-After, RateLimit-Policy, RateLimit",
  );
});

test("over HTTP/2: what is left, a refusal, and a lease that ends with the stream", async () => {
  const limiter = limiterOf();
  const settled: boolean[] = [];
  const settle = ({ finished }: { finished: boolean }) => void settled.push(finished);
  const app = fastify({ http2: true });
  await app.register(spillway, { limiter });
  app.get("/search", { config: { spillway: { limit: "search", count: 2, settle } } }, ok);
  app.get("/report", { config: { spillway: { limit: "reports" } } }, () => new Promise(() => {}));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  const get = async (path: string) => {
    const stream = session.request({ ":path": path });
    const [headers] = await once(stream, "response");
    await once(stream.resume(), "close");
    return headers;
  };
  expect(await get("/search")).toMatchObject({ ":status": 200 });
  expect(await get("/search")).toMatchObject({ ":status": 429, "retry-after": "20" });
  expect(settled).toEqual([true]);
  const inFlight = () => 1 - limiter.value("reports", { key: "127.0.0.1" }).remaining;
  const report = session.request({ ":path": "/report" });
  report.on("error", () => {});
  await until(() => inFlight() === 1, { what: "the report is in flight" });
  report.close();
  await until(() => inFlight() === 0, { what: "its lease is given back" });
  session.close();
  await app.close();
});

test("types: the decision, settings of routes, and functions of Fastify's requests", () => {
  expectTypeOf<FastifyRequest["spillway"]>().toEqualTypeOf<RouteDecision | undefined>();
  const limiter = limiterOf();
  // @ts-expect-error there is no such limit
  const unknown = () => limited(limiter, { limit: "serch" });
  expect(unknown).toThrow();
  fastify().get(
    "/:name",
    {
      config: { spillway: { limit: "search", key: ({ id, ip }) => [id, ip] } },
      onRequest: limited(limiter, {
        limit: "search",
        key: (request: FastifyRequest) => request.id,
      }),
      preHandler: [limited(limiter, { limit: "search", count: () => 2 })],
    },
    (request) => request.spillway?.decision?.remaining,
  );
});
