import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { PRIORITIES } from "spillway/shedding";
import { expect, test } from "vitest";
import { statusOf } from "../shedding/answer.ts";
import { type Arrival, arrivals, MIX, type Stream } from "../shedding/arrivals.ts";
import { Generator, startServer } from "../shedding/child.ts";
import { load } from "../shedding/contenders/index.ts";
import { openLoad } from "../shedding/open-load.ts";
import { type Observation, totalOf } from "../shedding/tally.ts";

/** Those that are due in a span that begins at `from` and ends before `to`. */
function dueIn(stream: Stream, { from, to }: { from: number; to: number }): readonly Arrival[] {
  const due: Arrival[] = [];
  for (const arrival of arrivals(stream)) {
    if (arrival.due >= to) return due;
    if (arrival.due >= from) due.push(arrival);
  }
  return due;
}

/** Whether every request that was sent ended in one way. */
function expectToAddUp(seen: Observation): void {
  for (const { sent, served, shed, failed } of Object.values(seen.counts)) {
    expect(served + shed + failed).toBe(sent);
  }
}

async function serve(listener: RequestListener): Promise<AsyncDisposable & { port: number }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("every request to a server of its own is accounted for", async () => {
  const effort = { steps: 100_000, turns: 2 };
  await using server = await startServer({ contender: "none", effort });
  await using generator = new Generator();
  const { port } = server;
  const each = { port, settle: 0, measured: 300 };
  expect(await generator.closed({ ...each, connections: 2 })).toBeGreaterThan(0);
  const stream = { rate: 300, seed: 7 };
  const seen = await generator.open({ ...each, ...stream, settle: 200, deadline: 500 });
  expectToAddUp(seen);
  expect(totalOf(seen).sent).toBe(dueIn(stream, { from: 200, to: 500 }).length);
  expect(totalOf(seen).shed).toBe(0);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

test("a contender that there is none of is not loaded", async () => {
  await expect(load("nobody")).rejects.toThrow('no contender is called "nobody"');
});

test("requests end as they were answered", async () => {
  await using server = await serve((request, response) => {
    const priority = request.headers["x-priority"];
    const status = priority === "background" ? 503 : 200;
    if (priority === "critical") request.socket.destroy();
    else response.writeHead(status, { "content-length": 2 }).end("ok");
  });
  const times = { settle: 0, measured: 200, deadline: 2000 };
  const seen = await openLoad({ ...times, port: server.port, rate: 500, seed: 3 });
  expectToAddUp(seen);
  const { critical, normal, low, background } = seen.counts;
  expect(critical.failed).toBe(critical.sent);
  expect(background.shed).toBe(background.sent);
  expect([normal.served, low.served]).toEqual([normal.sent, low.sent]);
});

test("a request that is not answered is given up, and one without a connection fails", async () => {
  await using server = await serve(() => {});
  const times = { settle: 0, measured: 100, deadline: 50 };
  const seen = await openLoad({ ...times, port: server.port, rate: 1000, seed: 3, most: 5 });
  expectToAddUp(seen);
  expect(totalOf(seen).failed).toBe(totalOf(seen).sent);
  expect(seen.unsent).toBeGreaterThan(0);
  expect(seen.p99).toBeNaN();
});

test("arrivals are the same in every run, as many as the rate says, in the mix that is said", () => {
  const stream = { rate: 1000, seed: 5 };
  const all = dueIn(stream, { from: 0, to: 20_000 });
  expect(dueIn(stream, { from: 0, to: 20_000 })).toEqual(all);
  expect(all.length / 20_000).toBeCloseTo(1, 1);
  for (const priority of PRIORITIES) {
    const part = all.filter((each) => each.priority === priority).length / all.length;
    expect(part).toBeCloseTo(MIX[priority], 1);
  }
});

const ANSWER = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\nx: y\r\n\r\nshed";

test("an answer has a status when the last of its bytes is there", () => {
  for (let length = 0; length < ANSWER.length; length++) {
    expect(statusOf(ANSWER.slice(0, length))).toBeUndefined();
  }
  expect(statusOf(ANSWER)).toBe(503);
});

test("an answer that does not say how long it is is refused", () => {
  expect(() => statusOf("HTTP/1.1 200 OK\r\n\r\n")).toThrow("not understood: HTTP/1.1 200 OK");
});
