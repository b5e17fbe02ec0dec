/** How the cost of a call grows with what its key holds. See `bench/README.md`. */
import { DAY, RateLimiter } from "spillway";
import { redisStore } from "spillway/redis";
import { manualClock } from "spillway/testing";
import { load } from "../redis/plain.ts";
import { Server } from "../redis/server.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Group, Progress } from "../suites/suite.ts";
import type { Part } from "./part.ts";

const SIZES = [1000, 20_000] as const;
const ROUNDS = 9;
/** In a turn of one call. */
const CALLS = 50;

/** Microseconds of the server that a script takes. */
type Cost = { readonly cost: number };

export const longKeys: Part = {
  name: "logs and leases on Redis",
  measure: async (progress) => [await onRedis(progress)],
};

async function onRedis(progress: Progress): Promise<Group> {
  await using server = await Server.start();
  const contestants: Contestant<Cost>[] = [await doingNothing(server)];
  for (const size of SIZES) contestants.push(...(await onALog(server, size)));
  for (const size of SIZES) contestants.push(...(await onLeases(server, size)));
  const title = `one key, Redis ${await server.version()}: µs of the server`;
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return groupOf(title, measured, { figure: "cost", unit: "server µs a call" });
}

function contestant(server: Server, name: string, call: () => Promise<unknown>): Contestant<Cost> {
  return {
    name,
    async measure() {
      const before = await server.scriptTime();
      for (let made = 0; made < CALLS; made++) await call();
      return { cost: ((await server.scriptTime()) - before) / CALLS };
    },
  };
}

async function doingNothing(server: Server): Promise<Contestant<Cost>> {
  const client = server.connect();
  const sha1 = await load(client, "return 1");
  return contestant(server, "no-op EVALSHA", () => client.evalsha(sha1, 1, "no-op"));
}

/** A store by a clock of its own, so that each unit has an instant of its own. */
function open(server: Server, size: number) {
  const clock = manualClock();
  const store = redisStore(server.connect(), { clock, prefix: `of-${size}`, deadline: 60_000 });
  const limits = {
    log: { kind: "sliding log", rate: size, period: DAY },
    jobs: { kind: "concurrency", capacity: size, ttl: DAY },
  } as const;
  return { clock, limiter: new RateLimiter(limits, { store, warn: () => {} }) };
}

async function onALog(server: Server, size: number): Promise<readonly Contestant<Cost>[]> {
  const { clock, limiter } = open(server, size);
  for (let taken = 0; taken < size; taken++) {
    clock.advance(1);
    await limiter.limit("log");
  }
  const half = size / 2;
  return [
    contestant(server, `log of ${size}: half refused`, () => limiter.limit("log", { count: half })),
    contestant(server, `log of ${size}: settled and taken, two calls`, async () => {
      await limiter.settle("log", { reserved: 1, used: 0 });
      await limiter.limit("log");
    }),
  ];
}

async function onLeases(server: Server, size: number): Promise<readonly Contestant<Cost>[]> {
  const { clock, limiter } = open(server, size);
  const held: { renew(): Promise<boolean> }[] = [];
  for (let taken = 0; taken < size; taken += 100) {
    clock.advance(1);
    const calls = Array.from({ length: 100 }, () => limiter.acquire("jobs"));
    held.push(...(await Promise.all(calls)));
  }
  const half = size / 2;
  let next = half;
  return [
    contestant(server, `leases of ${size}: half refused`, () =>
      limiter.acquire("jobs", { count: half }),
    ),
    contestant(server, `leases of ${size}: renewed`, async () => {
      await held[next++ % size]?.renew();
    }),
  ];
}
