/** What every adapter keeps to when many come at once, and when they go away at every stage. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { MINUTE } from "../../../src/limits/core/index.ts";
import { fresh } from "../../fresh.ts";
import { until } from "../../servers/until.ts";
import type { Handler, Host, Running } from "./host.ts";
import { HERE } from "./row.ts";

const CAPACITY = 1_000_000;

const LIMITS = {
  login: { kind: "token bucket", rate: 5, period: 5 * MINUTE },
  reports: { kind: "concurrency", capacity: CAPACITY, ttl: MINUTE },
} as const;

/** Runs the races through a framework. */
export function describeRaces(host: Host, { aborted = 200 } = {}): void {
  describe(`races of ${host.name}`, () => {
    test("of a hundred wrong passwords at once, as many as there may be are tried", () =>
      guess(host));
    test(`of ${aborted} requests that are broken off at every stage, none stays in flight`, () =>
      breakOff(host, aborted));
    test("of pipelined requests that wait for the first when the client goes, none stays in flight", () =>
      breakPipeline(host));
  });
}

async function guess(host: Host): Promise<void> {
  const all = Promise.withResolvers<void>();
  let tried = 0;
  const handle: Handler = async () => {
    tried++;
    await all.promise;
    return { status: 401, body: "wrong" };
  };
  const route = {
    limit: "login",
    settle: ({ status }: { status: number }) => Number(status >= 400),
  };
  const limiter = fresh(LIMITS).limiter;
  const running = await host.start({ limiter, routes: [route], handle });
  const answers: number[] = [];
  const guesses = Array.from({ length: 100 }, async () => {
    const response = await fetch(`http://127.0.0.1:${running.port}/`);
    answers.push(response.status);
    await response.text();
  });
  await until(() => answers.length === 95, { what: "95 are refused" });
  expect([tried, new Set(answers)]).toEqual([5, new Set([429])]);
  all.resolve();
  await Promise.all(guesses);
  expect([tried, answers.filter((status) => status === 401).length]).toEqual([5, 5]);
  await running.close();
}

const HEAD = "GET / HTTP/1.1\r\nHost: here\r\n";

/** What a client does before it goes away. */
const STAGES: readonly ((socket: Socket) => unknown)[] = [
  () => {},
  (socket) => socket.write(HEAD.slice(0, 20)),
  (socket) => socket.write(`${HEAD}\r\n`),
  (socket) => {
    socket.write(`${HEAD}\r\n`);
    return once(socket, "data");
  },
  (socket) => {
    socket.write(`${HEAD}Content-Length: 10\r\n\r\nhalf`);
    return once(socket, "data");
  },
  (socket) => {
    socket.write(`${HEAD}\r\n${HEAD}\r\n${HEAD}\r\n`);
    return once(socket, "data");
  },
];

async function breakOff(host: Host, times: number): Promise<void> {
  const limiter = fresh(LIMITS).limiter;
  // A body that has begun, and never ends by itself.
  let served = 0;
  const handle: Handler = () => {
    served++;
    return { body: "half", until: new Promise(() => {}) };
  };
  const running = await host.start({
    limiter,
    routes: [{ limit: "reports", key: async () => HERE }],
    handle,
  });
  const crowd = 50;
  for (let done = 0; done < times; done += crowd) {
    await Promise.all(Array.from({ length: crowd }, (_, index) => leave(running, done + index)));
  }
  await until(async () => (await running.connections()) === 0, { what: "all have gone" });
  const inFlight = () => CAPACITY - limiter.value("reports", { key: HERE }).remaining;
  await until(() => inFlight() === 0, { what: "nothing is in flight" });
  expect(served).toBeGreaterThan(times / 3);
  await running.close();
}

/** The first is never answered; those behind it are, and wait for it: Node 20 does not close these. */
async function breakPipeline(host: Host): Promise<void> {
  const limiter = fresh(LIMITS).limiter;
  const inFlight = () => CAPACITY - limiter.value("reports", { key: HERE }).remaining;
  let served = 0;
  const running = await host.start({
    limiter,
    routes: [{ limit: "reports", key: HERE }],
    handle: () => (served++ === 0 ? new Promise<never>(() => {}) : {}),
  });
  const socket = connect(running.port, "127.0.0.1");
  socket.write(`${HEAD}\r\n`.repeat(20));
  await until(() => served === 20, { what: "all are served" });
  expect(inFlight()).toBeGreaterThan(0);
  socket.destroy();
  await until(() => inFlight() === 0, { what: "nothing is in flight" });
  await running.close();
}

async function leave({ port }: Running, index: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  await STAGES[index % STAGES.length]?.(socket);
  socket.destroy();
  await once(socket, "close");
}
