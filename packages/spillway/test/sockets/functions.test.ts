/** Functions of routes of connections and upgrades that fail, in all ways: who is not admitted is gone, and no promise is dropped. */
import { createServer as http } from "node:http";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Limits } from "../../src/limits/core/index.ts";
import { limitConnections, limitUpgrades } from "../../src/sockets/index.ts";
import { FAULTS, type Fault, NAMES, watchRejections } from "../faults.ts";
import { allowed, FUNCTIONS, type Plan, plans, siteOf } from "../http/middleware/functions.ts";
import type { AnyRequest } from "../http/middleware/host.ts";
import { Client, closed, listen } from "./clients.ts";

const NEVER = new Promise<never>(() => {});
const PAIRED: readonly Fault[] = ["throws", "rejects", "never settles"];
const PLANS: readonly Plan[] = [
  ...FUNCTIONS.flatMap((name) => NAMES.map((fault): Plan => ({ [name]: fault }))),
  ...plans(PAIRED),
];

/** Settling needs a response. */
function withoutSettle<Route extends { readonly limits?: unknown }>(route: Route) {
  const listed = (route.limits ?? []) as readonly object[];
  const limits = listed.map((limit) => ({ ...limit, settle: undefined }));
  return { ...route, limits };
}

test("upgrades are answered as documented", async () => {
  const rejections = watchRejections();
  const header = (request: AnyRequest, name: string) => request.headers[name];
  const { limiter, route, inFlight, shedder } = siteOf({ header }, NEVER);
  const server = http();
  limitUpgrades(server, limiter, withoutSettle(route) as never);
  server.on("upgrade", (_, socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
  const port = await listen(server);
  onTestFinished(() => closed(server));
  for (const plan of PLANS) {
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: a\r\n`;
    const client = new Client(port, { say: `${head}X-Plan: ${JSON.stringify(plan)}\r\n\r\n` });
    const { text } = await client.ended;
    const status = Number(text.slice(9, 12));
    expect(allowed(plan), JSON.stringify(plan)).toContain(status);
    expect(/cache-control: no-store/i.test(text)).toBe(status !== 200);
  }
  await rejections.none();
  expect([inFlight(), shedder.stats().inFlight]).toEqual([0, 0]);
});

test("connections are served, or reset, as documented", async () => {
  const rejections = watchRejections();
  let plan: Plan = {};
  const { limiter, route, inFlight, shedder } = siteOf(
    { header: () => JSON.stringify(plan) },
    NEVER,
  );
  const server = createServer((socket) => socket.end("served"));
  limitConnections(server, limiter, withoutSettle(route) as never);
  const port = await listen(server);
  onTestFinished(() => closed(server));
  for (plan of PLANS) {
    const { text } = await new Client(port).ended;
    const statuses = allowed(plan);
    expect(text === "served" ? [200] : [500, 503], JSON.stringify(plan)).toEqual(
      expect.arrayContaining([statuses[0]]),
    );
  }
  await rejections.none();
  expect([inFlight(), shedder.stats().inFlight]).toEqual([0, 0]);
});

test.each(NAMES)("last words that a function %s instead of", async (fault) => {
  const rejections = watchRejections();
  const { limiter } = siteOf({ header: () => "{}" }, NEVER);
  const server = createServer((socket) => socket.end("served"));
  const lastWords = FAULTS[fault] as never;
  const listener = FAULTS[fault] as never;
  const route = { limit: "search", count: 2000, lastWords, onEvent: listener } as const;
  limitConnections<Limits>(server, limiter as never, route as never);
  const port = await listen(server);
  onTestFinished(() => closed(server));
  expect((await new Client(port).ended).text).toBe("");
  await rejections.none();
});
