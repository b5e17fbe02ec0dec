/** Functions of a route that fail, in all ways, alone and in pairs: each is a refusal, and no more. */
import { once } from "node:events";
import { Agent, request as send } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Guard } from "../../../src/http/guard/index.ts";
import { type Fault, NAMES, watchRejections } from "../../faults.ts";
import { until } from "../../servers/until.ts";
import { allowed, FUNCTIONS, type Plan, plans, siteOf } from "./functions.ts";
import { HOSTS } from "./hosts/index.ts";

/** Those by which promises are dropped; a guard is given all. */
const DROPPING: readonly Fault[] = ["throws", "rejects", "rejects late", "never settles"];

const NEVER = new Promise<never>(() => {});

test("a guard answers every pair, holds nothing, and drops no promise", async () => {
  const rejections = watchRejections();
  const header = (plan: Plan) => JSON.stringify(plan);
  const { limiter, route, inFlight, shedder } = siteOf({ header }, NEVER);
  const reader = { method: () => "GET", header: () => undefined, peer: () => undefined };
  const guard = new Guard<Plan>(limiter, route, reader);
  for (const some of inCrowds([...plans(NAMES)], 250)) {
    await Promise.all(
      some.map(async (plan) => {
        const { refusal, headers, over } = await entered(guard, plan);
        expect(allowed(plan), JSON.stringify(plan)).toContain(refusal?.status ?? 200);
        if (refusal !== undefined) expect(headers).toContainEqual(["Cache-Control", "no-store"]);
        over({ status: refusal?.status ?? 200, finished: true });
      }),
    );
  }
  await rejections.none();
  expect([inFlight(), shedder.stats().inFlight]).toEqual([0, 0]);
});

async function entered(guard: Guard<Plan>, plan: Plan) {
  const passage = await guard.enter(plan);
  const { refusal, headers } = passage;
  return { refusal, headers, over: passage.over.bind(passage) };
}

describe.each(HOSTS)("$name", (host) => {
  test("answers every function that fails, and every pair, as documented", async () => {
    const rejections = watchRejections();
    const { limiter, route, inFlight, shedder } = siteOf(host, NEVER);
    const running = await host.start({ limiter, routes: [route], handle: () => ({}) });
    onTestFinished(() => running.close());
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    onTestFinished(() => agent.destroy());
    const singles = FUNCTIONS.flatMap((name) => NAMES.map((fault): Plan => ({ [name]: fault })));
    for (const some of inCrowds([...singles, ...plans(DROPPING)], 250)) {
      await Promise.all(
        some.map(async (plan) => {
          const { status, noStore } = await got(running.port, plan, agent);
          expect(allowed(plan), JSON.stringify(plan)).toContain(status);
          expect(noStore, JSON.stringify(plan)).toBe(status !== 200);
        }),
      );
    }
    await rejections.none();
    await until(() => inFlight() === 0, { what: "nothing is in flight" });
    await until(() => shedder.stats().inFlight === 0, { what: "nothing is admitted any more" });
  });

  test("whose client goes while one function answers, and another fails, holds nothing", async () => {
    const rejections = watchRejections();
    const gone = Promise.withResolvers<void>();
    const { limiter, route, inFlight, shedder } = siteOf(host, gone.promise);
    const patient = { ...route, timeout: 60_000 };
    let served = 0;
    const handle = () => ({ body: `${++served}` });
    const running = await host.start({ limiter, routes: [patient], handle });
    onTestFinished(() => running.close());
    const waiting = FUNCTIONS.map((name): Plan => ({ [name]: "waits" }));
    const pairs = FUNCTIONS.flatMap((name) =>
      FUNCTIONS.filter((other) => other !== name).flatMap((other) =>
        (["throws", "rejects"] as const).map(
          (fault): Plan => ({ [name]: "waits", [other]: fault }),
        ),
      ),
    );
    const sockets = [...waiting, ...pairs].map((plan) => asking(running.port, plan));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    await until(async () => (await running.connections()) > 0, { what: "some have arrived" });
    for (const socket of sockets) socket.destroy();
    await until(async () => (await running.connections()) === 0, { what: "all have gone" });
    gone.resolve();
    await rejections.none();
    await until(() => inFlight() === 0, { what: "nothing is in flight" });
    await until(() => shedder.stats().inFlight === 0, { what: "nothing is admitted any more" });
  });
});

function asking(port: number, plan: Plan) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Plan: ${JSON.stringify(plan)}\r\n\r\n`);
  return socket;
}

/** What a request is answered under a plan. */
async function got(port: number, plan: Plan, agent: Agent) {
  const headers = { "x-plan": JSON.stringify(plan) };
  const request = send({ port, host: "127.0.0.1", headers, agent });
  request.end();
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
  return {
    status: response.statusCode as number,
    noStore: response.headers["cache-control"] === "no-store",
  };
}

function* inCrowds<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
