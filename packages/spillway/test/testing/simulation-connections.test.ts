/** Requests come over connections, which a process accepts one by one, and which clients close. */
import { describe, expect, test } from "vitest";
import type { Work } from "../../src/shedding/index.ts";
import {
  type ClientOptions,
  constant,
  cpuShare,
  fixed,
  type Scenario,
  simulate,
  spike,
  total,
  type World,
} from "../../src/testing/simulation/index.ts";
import type { SimulatedServerOptions } from "../../src/testing/simulation/server.ts";
import { shedderOf } from "./simulation-shedder.ts";

/** A server in which nothing takes time but what a test says. */
const FREE = {
  overhead: 0,
  refusalCost: 0,
  acceptCost: 0,
  closeCost: 0,
} satisfies SimulatedServerOptions;

/** So many requests, give or take chance, within the first millisecond. */
const atOnce = (count: number) => spike({ base: 0, peak: 1000 * count, at: 0, lasting: 1 });

/** Notes in which turn of the event loop something happens, as the check phases count them. */
function turns({ scheduler }: World) {
  let turn = 0;
  const next = () => {
    if (++turn < 100) scheduler.afterTurn(next);
  };
  return { start: () => scheduler.afterTurn(next), now: () => turn };
}

/** In which turns requests are read that all came while the process was blocked. */
async function readIn(client: ClientOptions): Promise<readonly number[]> {
  const seen: number[] = [];
  await simulate({
    duration: 2000,
    traffic: [{ rate: atOnce(20) }],
    client,
    server: { ...FREE, blocked: 50 },
    shedder: (world) => {
      const { start, now } = turns(world);
      world.scheduler.afterDelay(5, start);
      return shedderOf(() => seen.push(now()) > 0);
    },
  });
  return seen.map((turn) => turn - (seen[0] ?? 0));
}

describe("a new connection", () => {
  test("is accepted in a turn of its own, where those that are open are read in one", async () => {
    const each = await readIn({ connections: "single use" });
    expect(each.length).toBeGreaterThan(10);
    expect(each).toEqual(each.map((_, index) => index));
    expect(await readIn({ connections: "pooled" })).toEqual(each);
    expect(await readIn({ connections: "kept" })).toEqual(each.map(() => 0));
  });

  test("waits with the system in a queue of 511, and then comes again after a second", async () => {
    const read: number[] = [];
    const shedder = ({ scheduler }: World) => shedderOf(() => read.push(scheduler.elapsed()) > 0);
    const client = { connections: "single use", deadline: Infinity } as const;
    const traffic = [{ rate: atOnce(1000) }];
    const server = { ...FREE, blocked: 500 };
    const recording = await simulate({ duration: 2000, traffic, client, server, shedder });
    const { arrived, served } = total(recording, { to: Infinity });
    expect(read.filter((instant) => instant === 500)).toHaveLength(511);
    expect(read.filter((instant) => instant >= 1000 && instant < 1001)).toHaveLength(arrived - 511);
    expect(served).toBe(arrived);
  });

  test("that finds no place in the queue is not heard of, if its client gives up", async () => {
    let read = 0;
    const shedder = () => shedderOf(() => ++read > 0);
    const client = { connections: "single use", closes: true, deadline: 900 } as const;
    const server = { ...FREE, blocked: 500, backlog: 10 };
    const traffic = [{ rate: atOnce(100) }];
    const { arrived, served, timedOut } = total(
      await simulate({ duration: 2000, traffic, client, server, shedder }),
    );
    expect([read, served, timedOut]).toEqual([10, 10, arrived - 10]);
  });
});

describe("connections cost", () => {
  const shareOf = async (client: ClientOptions, server: SimulatedServerOptions) =>
    cpuShare(
      await simulate({
        duration: 100_000,
        traffic: [{ rate: constant(10) }],
        client,
        server: { ...FREE, ...server },
      }),
    );

  test.each([
    ["single use", 0.03],
    ["pooled", 0],
    ["kept", 0],
  ] as const)("what accepting and closing takes: %s", async (connections, expected) => {
    const share = await shareOf({ connections }, { acceptCost: 2, closeCost: 1 });
    expect(share).toBeCloseTo(expected, 2);
  });

  test("0.03 and 0.02 ms by default", async () => {
    const { arrived, cpu } = await costOfOne({ connections: "single use" });
    expect(cpu / arrived).toBeCloseTo(0.02 + 0.03 + 0.02, 9);
  });

  async function costOfOne(client: ClientOptions) {
    const recording = await simulate({
      duration: 10_000,
      traffic: [{ rate: constant(5) }],
      client,
    });
    const cpu = recording.buckets.reduce((sum, bucket) => sum + bucket.cpu, 0);
    return { arrived: total(recording).arrived, cpu };
  }
});

test("pooled connections are opened when all are in use, and the last used is used first", async () => {
  // With 20 requests at once, 20 connections are opened; later, one at a time, only one is used.
  const gone: number[] = [];
  const traffic = [
    { rate: atOnce(20), cpu: fixed(1) },
    { rate: spike({ base: 0, peak: 10, at: 2000, lasting: 8000 }), cpu: fixed(1) },
  ];
  const client = { connections: "pooled", deadline: Infinity } as const;
  const server = { ...FREE, acceptCost: 10 };
  const { buckets } = await simulate({ duration: 10_000, traffic, client, server });
  for (const { cpu, tallies } of buckets) gone.push(cpu - tallies.normal.arrived);
  const [first = 0, ...others] = gone;
  expect(first / 10).toBe(buckets[0]?.tallies.normal.arrived);
  // The second request of two that overlap finds the other open as well.
  expect(Math.max(...others)).toBeLessThan(1);
});

describe("a client that closes", () => {
  test("needs a new connection for the next request, and its work is done in vain", async () => {
    const downstream = { pool: "slow", time: fixed(1500) };
    const run = async (closes: boolean) => {
      const recording = await simulate({
        duration: 20_000,
        traffic: [{ rate: constant(10), cpu: fixed(2), downstream }],
        pools: { slow: { workers: 1000 } },
        client: { connections: "pooled", closes },
        server: { ...FREE, acceptCost: 1 },
      });
      const { arrived, late } = total(recording);
      const used = recording.buckets.reduce((sum, { cpu }) => sum + cpu, 0);
      return { arrived, late, accepted: Math.round(used - 2 * arrived) };
    };
    const { arrived, ...closing } = await run(true);
    expect(closing).toEqual({ late: arrived, accepted: arrived });
    const staying = await run(false);
    expect(staying.late).toBe(arrived);
    expect(staying.accepted).toBeLessThan(30);
  });

  test("is known to have gone in the turn after that in which its request was read", async () => {
    const log: string[] = [];
    const shedder = (world: World) => {
      const { start, now } = turns(world);
      world.scheduler.afterDelay(5, start);
      const admit = (work: Work & { signal?: AbortSignal }) => {
        log.push(`read in ${now()}`);
        work.signal?.addEventListener("abort", () => log.push(`gone in ${now()}`));
        return new Promise<never>(() => {});
      };
      return { admit: admit as never };
    };
    const client = { connections: "single use", closes: true, deadline: 20 } as const;
    const traffic = [{ rate: spike({ base: 0, peak: 1000, at: 0, lasting: 1 }) }];
    const server = { ...FREE, blocked: 50, signalsAborts: true };
    await simulate({ seed: 3, duration: 2000, traffic, client, server, shedder });
    // As seen with `node:http` of Node 24, where `close` of the response is heard: a turn accepts
    // one, reads the one before, and reads the end of the one before that.
    const events = ["read in 1", "read in 2", "gone in 3", "read in 3", "gone in 4", "gone in 5"];
    expect(log).toEqual(events);
  });

  test("hears by a signal only if the scenario says so, and only until it is answered", async () => {
    const aborted = async (server: SimulatedServerOptions) => {
      let [signals, count] = [0, 0];
      const shedder = () =>
        shedderOf((work) => {
          const { signal } = work as { signal?: AbortSignal };
          if (signal !== undefined) signals++;
          signal?.addEventListener("abort", () => count++);
          return true;
        });
      const traffic = [
        { rate: constant(20), downstream: { pool: "slow", time: fixed(1500) } },
        { rate: constant(20), downstream: { pool: "slow", time: fixed(500) } },
      ];
      const pools = { slow: { workers: 1000 } };
      const client = { connections: "single use", closes: true } as const;
      const scenario = { duration: 10_000, traffic, pools, client, server, shedder };
      const { arrived, late } = total(await simulate(scenario), { to: Infinity });
      return { arrived, late, signals, count };
    };
    expect(await aborted({})).toMatchObject({ signals: 0, count: 0 });
    const { arrived, late, signals, count } = await aborted({ signalsAborts: true });
    expect(signals).toBe(arrived);
    expect(count).toBe(late);
    expect(late).toBeGreaterThan(150);
  });
});

test("the same scenario gives the same recording, with connections too", async () => {
  const scenario: Scenario = {
    duration: 10_000,
    traffic: [
      { rate: constant(120), cpu: fixed(10), name: "page" },
      { rate: constant(20), cpu: fixed(1), holds: fixed(700) },
    ],
    client: { connections: "pooled", closes: true, attempts: 2 },
    server: { blocked: 300, warmUp: constant(2) },
  };
  expect(await simulate(scenario)).toEqual(await simulate(scenario));
});
