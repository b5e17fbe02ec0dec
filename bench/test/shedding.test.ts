import { PRIORITIES } from "spillway/shedding";
import { expect, test } from "vitest";
import { answerOf } from "../shedding/answer.ts";
import { type Arrival, arrivals, healthChecks, MIX, PATHS } from "../shedding/arrivals.ts";
import { Generator, startServer } from "../shedding/child.ts";
import { CLIENT_KINDS, type ClientKind } from "../shedding/clients/index.ts";
import { load } from "../shedding/contenders/index.ts";
import { inOrder } from "../shedding/merge.ts";
import { openLoad } from "../shedding/open-load.ts";
import { type Observation, sumOf } from "../shedding/tally.ts";
import { serve } from "./serve.ts";

/** Whether every request that was sent ended in one way. */
function expectToAddUp({ seconds }: Observation): void {
  for (const { sent, served, shed, failed } of seconds.flatMap((each) => Object.values(each))) {
    expect(served + shed + failed).toBe(sent);
  }
}

const SERVERS: readonly { contender: string; clients: ClientKind }[] = [
  { contender: "none", clients: "closing" },
  { contender: "none", clients: "http2" },
  { contender: "none on Fastify", clients: "closing" },
  { contender: "spillway adaptive", clients: "single" },
];

test.each(SERVERS)(
  "every request to a server of its own is counted: $contender, $clients",
  async ({ contender, clients }) => {
    await using server = await startServer({ contender, clients, work: "fixed" });
    await using generator = new Generator();
    const each = { port: server.port, clients };
    const closed = { ...each, senders: 2, settle: 2, measured: 5 };
    expect(await generator.closed(closed)).toBeGreaterThan(0);
    const phases = [
      { ms: 200, rate: 100 },
      { ms: 300, rate: 20 },
    ];
    const open = { ...each, phases, seed: 7, warmUp: 200, deadline: 5000 };
    const seen = await generator.open(open);
    expectToAddUp(seen);
    const counted = [...arrivals(open)].filter(({ due }) => due >= 200).length;
    const { served, shed, ...rest } = sumOf(seen.seconds);
    expect(rest).toEqual({ sent: counted, failed: 0 });
    // A shedder may find a machine too busy, even by these few.
    expect(served + shed).toBe(counted);
    if (contender.startsWith("none")) expect(shed).toBe(0);
    expect(sumOf(seen.seconds, ["health"])).toEqual({ sent: 1, served: 1, shed: 0, failed: 0 });
  },
);

test("a contender that there is none of is not loaded", async () => {
  await expect(load("nobody")).rejects.toThrow('no contender is called "nobody"');
});

const LOAD = { phases: [{ ms: 200, rate: 500 }], seed: 3, warmUp: 0 };

test.each(CLIENT_KINDS)("requests end as they were answered: %s", async (clients) => {
  await using server = await serve(clients, ({ headers }, response) => {
    const priority = headers["x-priority"];
    if (priority === "critical") return response.abort();
    response.answer(priority === "background" ? 503 : 200);
  });
  const seen = await openLoad({ ...LOAD, clients, port: server.port, deadline: 5000 });
  expectToAddUp(seen);
  const ended = PRIORITIES.map((each) => sumOf(seen.seconds, [each]));
  const [critical, normal, low, background] = ended;
  expect(critical?.failed).toBe(critical?.sent);
  expect(background?.shed).toBe(background?.sent);
  expect([normal?.served, low?.served]).toEqual([normal?.sent, low?.sent]);
});

test.each(CLIENT_KINDS)("a request that is not answered is given up: %s", async (clients) => {
  await using server = await serve(clients, () => {});
  const seen = await openLoad({ ...LOAD, clients, port: server.port, deadline: 50 });
  expectToAddUp(seen);
  const { sent, failed } = sumOf(seen.seconds);
  expect(failed).toBe(sent);
  expect(seen.p99).toBeNaN();
});

/** Hardly ever a request, but four health checks a second. */
const IDLE = { rate: 1e-9 } as const;

const LEAVING = CLIENT_KINDS.filter((kind) => kind !== "keeping");

test.each(LEAVING)("who gives up says so while the load goes on: %s", async (clients) => {
  const { promise: gone, resolve } = Promise.withResolvers<unknown>();
  await using server = await serve(clients, ({ url }, reply) => {
    if (url === PATHS.health) reply.answer(200);
    else resolve(reply.closed);
  });
  const phases = [...LOAD.phases, { ms: 2000, ...IDLE }];
  const load = { ...LOAD, phases, clients, port: server.port, deadline: 50 };
  const isFirst = await Promise.race([gone.then(() => true), openLoad(load).then(() => false)]);
  expect(isFirst).toBe(true);
});

test("health checks have connections of their own", async () => {
  await using server = await serve("closing", (_, reply) => reply.answer(200));
  const load = { ...LOAD, phases: [{ ms: 600, ...IDLE }], clients: "closing" } as const;
  const seen = await openLoad({ ...load, port: server.port, deadline: 5000 });
  expect(sumOf(seen.seconds, ["health"]).served).toBe(3);
  expect(server.connections()).toBe(3);
});

const SCHEDULE = {
  phases: [
    { ms: 20_000, rate: 1000 },
    { ms: 40_000, rate: 100, streams: { path: PATHS.stream, rate: 50 } },
  ],
  seed: 5,
};

test("arrivals are the same in every run, as many as the phases say, in the mix", () => {
  const all = [...arrivals(SCHEDULE)];
  expect([...arrivals(SCHEDULE)]).toEqual(all);
  const before = all.filter(({ due }) => due < 20_000);
  expect(before.length / 20_000).toBeCloseTo(1, 1);
  expect((all.length - before.length) / 4000).toBeCloseTo(1, 1);
  for (const priority of PRIORITIES) {
    const part = all.filter((each) => each.priority === priority).length / all.length;
    expect(part).toBeCloseTo(MIX[priority], 1);
  }
  const streams = all.filter(({ path }) => path === PATHS.stream);
  expect(streams.every(({ due }) => due >= 20_000)).toBe(true);
  expect(streams.length / 2000).toBeCloseTo(1, 1);
});

test("health checks come between other requests, when they are due", () => {
  const both = [...inOrder(arrivals(SCHEDULE), healthChecks(SCHEDULE))];
  const isLater = (each: Arrival, index: number) => each.due >= (both[index - 1]?.due ?? 0);
  expect(both.every(isLater)).toBe(true);
  const checks = both.filter(({ path }) => path === PATHS.health);
  expect(checks.map(({ due }) => due)).toEqual(Array.from({ length: 240 }, (_, i) => i * 250));
  expect(both.length).toBe([...arrivals(SCHEDULE)].length + checks.length);
});

const ANSWER = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\nx: y\r\n\r\nshed";

test("an answer is there when the last of its bytes is", () => {
  for (let length = 0; length < ANSWER.length; length++) {
    expect(answerOf(ANSWER.slice(0, length))).toBeUndefined();
  }
  expect(answerOf(ANSWER)).toEqual({ status: 503, isStream: false });
});

test("a stream is there when its head is", () => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(answerOf(head.slice(0, -1))).toBeUndefined();
  expect(answerOf(head)).toEqual({ status: 200, isStream: true });
});

test("an answer that does not say how long it is is refused", () => {
  expect(() => answerOf("HTTP/1.1 200 OK\r\n\r\n")).toThrow("not understood: HTTP/1.1 200 OK");
});
