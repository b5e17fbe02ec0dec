/** Waiters of several processes: none keeps all units for its own. Time is virtual, chance seeded. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Lease, RateLimiter } from "../../src/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { later } from "./later.ts";

/** Milliseconds of virtual time. */
const SPAN = 10_000;

type Demand = {
  readonly processes: number;
  readonly capacity: number;
  /** Who want to be in flight all the time, in each process. */
  readonly workers: number;
  /** Milliseconds in flight, half to one and a half of it. */
  readonly work: number;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A store that all processes share, a millisecond away. */
function away(store: Store<"now">): Store<"later"> {
  const { limit, release } = asking(store);
  return alter(later(store), {
    limit: (ask) => pause(1).then(() => limit(ask)),
    release: (budget, held) => pause(1).then(() => release(budget, held)),
  });
}

/** Lets processes compete, and tells how many starts each has got. */
async function compete(demand: Demand, seed: number): Promise<number[]> {
  const { processes, capacity, workers, work } = demand;
  const random = seededRandom(seed);
  const shared = memoryStore({ clock: () => Date.now() });
  const limits = { jobs: { kind: "concurrency", capacity, ttl: "5m" } } as const;
  const end = performance.now() + SPAN;
  const starts = Array<number>(processes).fill(0);
  const workAll = async (process: number, acquire: () => Promise<Lease>) => {
    while (performance.now() < end) {
      const lease = await acquire();
      expect(lease.ok).toBe(true);
      if (performance.now() < end) starts[process] = (starts[process] as number) + 1;
      await pause(work * (0.5 + random()));
      lease.release();
    }
  };
  const all = starts.flatMap((_, process) => {
    const limiter = new RateLimiter(limits, { store: away(shared), random });
    const acquire = () => limiter.acquire("jobs", { wait: 10 * SPAN });
    return Array.from({ length: workers }, () => workAll(process, acquire));
  });
  await vi.advanceTimersByTimeAsync(10 * SPAN);
  await Promise.all(all);
  return starts;
}

const DEMANDS: readonly Demand[] = [
  { processes: 2, capacity: 1, workers: 10, work: 20 },
  { processes: 3, capacity: 1, workers: 30, work: 5 },
  { processes: 3, capacity: 1, workers: 30, work: 50 },
  { processes: 3, capacity: 1, workers: 1, work: 20 },
  { processes: 3, capacity: 1, workers: 10, work: 300 },
  { processes: 3, capacity: 3, workers: 30, work: 50 },
  { processes: 3, capacity: 4, workers: 2, work: 30 },
  { processes: 3, capacity: 10, workers: 30, work: 300 },
  { processes: 3, capacity: 10, workers: 30, work: 1000 },
  { processes: 5, capacity: 1, workers: 10, work: 20 },
  { processes: 5, capacity: 4, workers: 10, work: 20 },
  { processes: 8, capacity: 4, workers: 10, work: 100 },
];

describe.each(DEMANDS)(
  "$processes processes, $workers workers in each, $capacity at a time for $work ms",
  (demand) => {
    test.each([1, 2, 3, 4, 5, 6])("get starts within a factor of two, seed %d", async (seed) => {
      const starts = await compete(demand, seed);
      expect(Math.max(...starts)).toBeLessThanOrEqual(2 * Math.min(...starts));
      // Little of the capacity is left unused for it.
      const { capacity, processes, workers, work } = demand;
      const most = (Math.min(capacity, processes * workers) * SPAN) / (work + 1);
      expect(starts.reduce((sum, some) => sum + some)).toBeGreaterThan(0.8 * most);
    });
  },
);

test.each([
  [5, 20],
  [1, 200],
  [30, 2000],
])("a process alone with %d workers for %d ms rests little", async (workers, work) => {
  const [starts] = await compete({ processes: 1, capacity: 1, workers, work }, 1);
  expect(starts).toBeGreaterThan((0.88 * SPAN) / (work + 1));
});

test.each([
  { processes: 1, capacity: 20, workers: 220, work: 10 },
  { processes: 1, capacity: 100, workers: 300, work: 50 },
  { processes: 1, capacity: 1, workers: 200, work: 10 },
])(
  "waiters of a process ask for all that is free in one round trip: $capacity at a time",
  async (demand) => {
    const [starts] = await compete(demand, 1);
    expect(starts).toBeGreaterThan((0.95 * demand.capacity * SPAN) / (demand.work + 1));
  },
);

test("a process whose store nobody else uses does not rest at all", async () => {
  const store = memoryStore({ clock: () => Date.now() });
  const limits = { jobs: { kind: "concurrency", capacity: 1, ttl: "5m" } } as const;
  const limiter = new RateLimiter(limits, { store });
  let done = 0;
  const worker = async () => {
    for (;;) {
      using lease = await limiter.acquire("jobs", { wait: "1h" });
      await pause(lease.ok ? 10 : Number.NaN);
      done++;
    }
  };
  worker();
  worker();
  await vi.advanceTimersByTimeAsync(SPAN);
  expect(done).toBe(SPAN / 10);
  vi.clearAllTimers();
});
