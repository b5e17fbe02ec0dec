/** Who resets a connection before the route is reached has no address: that is no failure, and opens nothing. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { limited } from "../../../src/http/middleware/fetch/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { until } from "../../servers/until.ts";
import { expressHosts } from "./hosts/express.ts";
import { fastifyHosts } from "./hosts/fastify.ts";
import { honoHost } from "./hosts/hono.ts";
import { koaHost } from "./hosts/koa.ts";
import { nestHosts } from "./hosts/nest.ts";
import { nodeHost } from "./hosts/node.ts";

const HOSTS = [nodeHost, ...expressHosts, ...fastifyHosts, honoHost, koaHost, ...nestHosts];

test.each(HOSTS)("$name", async (host) => {
  const limiter = new RateLimiter({ it: { kind: "token bucket", rate: 3, period: "1m" } });
  const events: unknown[] = [];
  let served = 0;
  const onEvent = (event: unknown) => void events.push(event);
  const route = { limit: "it", whenFailed: "open", onEvent } as const;
  const handle = () => ({ body: `${++served}` });
  const server = await host.start({ limiter, routes: [route], handle });
  onTestFinished(() => server.close());
  const client = connect(server.port, "127.0.0.1");
  await once(client, "connect");
  await until(async () => (await server.connections()) === 1, { what: "it is accepted" });
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  client.resetAndDestroy();
  await until(async () => (await server.connections()) === 0, { what: "its end is noticed" });
  expect(events).toEqual([]);
  expect(served).toBe(0);
});

test("fetch", async () => {
  const limiter = new RateLimiter({ it: { kind: "token bucket", rate: 3, period: "1m" } });
  const events: unknown[] = [];
  let served = 0;
  const onEvent = (event: unknown) => void events.push(event);
  const route = { limit: "it", whenFailed: "open", onEvent, peer: () => undefined } as const;
  const get = limited(limiter, route, () => new Response(`${++served}`));
  const { status } = await get(new Request("http://a/", { signal: AbortSignal.abort() }));
  expect([status, events, served]).toEqual([499, [], 0]);
});
