/** A hundred thousand leases, waiters and runs on one key in memory. */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { MINUTE, RateLimiter } from "spillway";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Group, Progress } from "../suites/suite.ts";
import type { Part } from "./part.ts";

const FEW = 1000;
const MANY = 100_000;
/** The control settles as many in a turn of the event loop as this project does. */
const IN_TURN = 500;
const ROUNDS = 3;

export const leases: Part = {
  name: "leases of one key in memory",
  async measure(progress) {
    const contestants = [releasing(MANY), releasing(FEW), deleting(MANY)];
    const title = "released oldest first, µs each";
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [
      groupOf("leases of one key, released oldest first", measured, { figure: "us", unit: "µs" }),
    ];
  },
};

export const waiters: Part = {
  name: "waiters of one key in memory",
  async measure(progress) {
    const contestants = [draining(), aborting(), resolving()];
    const title = `${MANY} waiters, ms of the processor / longest turn, ms`;
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [
      groupOf(`${MANY} waiters: processor time`, measured, { figure: "ms", unit: "ms" }),
      groupOf(`${MANY} waiters: longest turn`, measured, {
        figure: "longest",
        unit: "ms",
        suffix: ", longest turn",
      }),
    ];
  },
};

export const runs: Part = { name: "runs of one key in memory", measure: running };

type Time = { readonly us: number };
type Crowd = { readonly ms: number; readonly longest: number };

function limiterOf(capacity: number, ttl: number) {
  return new RateLimiter({ jobs: { kind: "concurrency", capacity, ttl } }, { maxWaiting: MANY });
}

function releasing(count: number): Contestant<Time> {
  return {
    name: `release, of ${count}`,
    async measure() {
      const limiter = limiterOf(count, MINUTE);
      const held = Array.from({ length: count }, () => limiter.acquire("jobs"));
      const start = performance.now();
      for (const lease of held) if (!lease.release()) throw new Error("a lease was lost");
      return { us: ((performance.now() - start) * 1000) / count };
    },
  };
}

function deleting(count: number): Contestant<Time> {
  return {
    name: `Map.delete, of ${count}`,
    async measure() {
      const map = new Map(Array.from({ length: count }, (_, id) => [id, { id, until: id }]));
      const start = performance.now();
      for (let id = 0; id < count; id++) map.delete(id);
      return { us: ((performance.now() - start) * 1000) / count };
    },
  };
}

function draining(): Contestant<Crowd> {
  return {
    name: "each is lent the unit and releases it",
    async measure() {
      const limiter = limiterOf(1, MINUTE);
      const held = limiter.acquire("jobs");
      const jobs = Array.from({ length: MANY }, () =>
        limiter.acquire("jobs", { wait: MINUTE }).then((lease) => lease.release()),
      );
      return timed(() => {
        held.release();
        return Promise.all(jobs);
      });
    },
  };
}

function aborting(): Contestant<Crowd> {
  return {
    name: "all are aborted by one signal",
    async measure() {
      const limiter = limiterOf(1, MINUTE);
      const held = limiter.acquire("jobs");
      const gone = new AbortController();
      const options = { wait: MINUTE, signal: gone.signal };
      const jobs = Array.from({ length: MANY }, () => limiter.acquire("jobs", options));
      const crowd = await timed(() => {
        gone.abort();
        return Promise.allSettled(jobs);
      });
      held.release();
      return crowd;
    },
  };
}

function resolving(): Contestant<Crowd> {
  return {
    name: `promises resolved, ${IN_TURN} in a turn`,
    async measure() {
      const settled = Array.from({ length: MANY }, () => Promise.withResolvers<number>());
      const jobs = settled.map(({ promise }) => promise.then((one) => one + 1));
      return timed(async () => {
        for (let next = 0; next < MANY; next += IN_TURN) {
          for (let left = 0; left < IN_TURN; left++) settled[next + left]?.resolve(left);
          await turn();
        }
        await Promise.all(jobs);
      });
    },
  };
}

/** What work takes of the processor until it is done, and the longest that other work had to wait. */
async function timed(work: () => Promise<unknown>): Promise<Crowd> {
  await sleep(50);
  const before = process.cpuUsage();
  let [isDone, longest] = [false, 0];
  const watching = (async () => {
    for (let last = performance.now(); !isDone; ) {
      await turn();
      const now = performance.now();
      [longest, last] = [Math.max(longest, now - last), now];
    }
  })();
  await work();
  isDone = true;
  await watching;
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, longest };
}

const TTL = 10_000;
const SECONDS = 12;

/** Runs that hold their leases for longer than these last: all are renewed, again and again. */
async function running(progress: Progress): Promise<readonly Group[]> {
  const limiter = limiterOf(MANY, TTL);
  const over = Promise.withResolvers<void>();
  let lost = 0;
  const work = async (signal: { readonly aborted: boolean }) => {
    await over.promise;
    if (signal.aborted) lost++;
  };
  const jobs = Array.from({ length: MANY }, () => limiter.run("jobs", work));
  await sleep(1000);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const before = process.cpuUsage();
  await sleep(SECONDS * 1000);
  const { user, system } = process.cpuUsage(before);
  const percent = (user + system) / (SECONDS * 1e4);
  const p99 = delay.percentile(99) / 1e6 - 10;
  over.resolve();
  await Promise.all(jobs);
  const rows = [
    { name: `${MANY} runs, ttl 10 s: processor`, value: Number(percent.toFixed(1)), unit: "%" },
    {
      name: `${MANY} runs: delay of the event loop, p99`,
      value: Number(p99.toFixed(1)),
      unit: "ms",
    },
    { name: `${MANY} runs: leases lost`, value: lost, unit: "leases" },
  ];
  progress(rows.map(({ name, value, unit }) => `${name} ${value} ${unit}`).join(", "));
  return rows.map((row) => ({ title: row.name, rows: [row] }));
}
