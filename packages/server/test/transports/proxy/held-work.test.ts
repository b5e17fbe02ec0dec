/** Servers that hang, streams that stay open, and clients that read slowly. */
import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { adaptiveShedder, type CapSample } from "spillway/shedding";
import { afterDelay, afterTurn, alarm } from "spillway/support";
import { expect, it } from "vitest";
import { routeMatch } from "../../../src/rules/index.ts";
import type { PriorityRoute } from "../../../src/transports/proxy/index.ts";
import { connectTo, getText } from "../../support/raw.ts";
import { proxyTo, upstreamOf } from "./scene.ts";

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

const CRITICAL: PriorityRoute = {
  priority: "critical",
  match: routeMatch("/critical/*") as NonNullable<ReturnType<typeof routeMatch>>,
};

/** A proxy with few connections, in front of an upstream that answers when it is told to. */
async function startFew(connections: number) {
  const waiting: ServerResponse[] = [];
  const to = await upstreamOf((_, response) => void waiting.push(response));
  const samples: CapSample[] = [];
  const streams = { count: 0 };
  const time = { now: 0 };
  const shedder = adaptiveShedder({
    scheduler: { elapsed: () => time.now, afterDelay, alarm, afterTurn },
    cap: { cap: 4, learn: (sample) => samples.push(sample), backOff: () => {} },
    maxWaiting: 1,
    mostWithHeld: () => connections - streams.count,
  });
  const shedding = { shedder, priorities: [CRITICAL], deadlineHeader: undefined, streams };
  const scene = await proxyTo(to, { shedding, connections });
  return { scene, shedder, waiting, streams, time, samples };
}

it("what hangs keeps its connection, and the next one goes to the most important", async () => {
  const { scene, shedder, waiting, time } = await startFew(1);
  const hanging = fetch(`${scene.url}/hangs`);
  await until(() => waiting.length === 1);
  time.now = 1200;
  const normal = fetch(`${scene.url}/normal`);
  await until(() => shedder.stats().waiting === 1 && shedder.stats().held === 1);
  const critical = fetch(`${scene.url}/critical/1`);
  const refused = await normal;
  expect(refused.status).toBe(503);
  expect(await refused.json()).not.toHaveProperty("code");
  waiting.shift()?.end("done");
  expect((await hanging).status).toBe(200);
  await until(() => waiting.length === 1);
  waiting.shift()?.end("done");
  expect((await critical).status).toBe(200);
});

it("a stream keeps its connection until it ends", async () => {
  const { scene, shedder, waiting, streams } = await startFew(1);
  const stream = fetch(`${scene.url}/events`);
  await until(() => waiting.length === 1);
  const events = waiting.shift();
  events?.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  await stream;
  expect([shedder.stats().inFlight, streams.count]).toEqual([0, 1]);
  const next = fetch(`${scene.url}/critical/1`);
  await until(() => shedder.stats().waiting === 1);
  events?.end();
  await until(() => waiting.length === 1);
  expect(streams.count).toBe(0);
  waiting.shift()?.end("done");
  expect((await next).status).toBe(200);
});

it("a client that reads slowly teaches nothing about the server", async () => {
  const { scene, waiting, samples, shedder } = await startFew(2);
  const socket = await connectTo(scene);
  socket.pause();
  socket.write(getText("/large"));
  await until(() => waiting.length === 1);
  const large = waiting.shift();
  const part = Buffer.alloc(2 ** 20);
  for (let parts = 0; parts < 32; parts++) large?.write(part);
  large?.end();
  await until(() => (large?.writableLength ?? 0) > 0);
  socket.resume();
  await until(() => shedder.stats().inFlight === 0);
  expect(samples).toEqual([]);
  const quick = fetch(`${scene.url}/quick`);
  await until(() => waiting.length === 1);
  waiting.shift()?.end("done");
  await (await quick).text();
  expect(samples).toHaveLength(1);
  socket.destroy();
});

it("a request that is answered too late is not sent again", async () => {
  let asked = 0;
  const to = await upstreamOf(() => void asked++);
  const times = { connect: 60_000, headers: 1, idle: 60_000 };
  const scene = await proxyTo(to, { times });
  const response = await fetch(scene.url);
  expect([response.status, asked]).toEqual([504, 1]);
});
