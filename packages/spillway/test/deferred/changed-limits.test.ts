/** A limit is changed while jobs wait: they keep their turn, and who comes then is told when it will start. */
import { describe, expect, test } from "vitest";
import { Deferred, memoryQueue } from "../../src/deferred/index.ts";
import { type Limit, RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";
import { FIRST_SEED, runs } from "../runs.ts";
import { accepted } from "./memory-world.ts";

const KINDS = {
  "a leaky bucket": (rate: number): Limit => ({
    kind: "leaky bucket",
    rate,
    period: 1000,
    capacity: 1000,
  }),
  "a token bucket": (rate: number): Limit => ({
    kind: "token bucket",
    rate,
    period: 1000,
    capacity: 1,
    maxReserved: 999,
  }),
};

/** A queue and a store, and programs with one limit or another. Each job is its number. */
function world(kind: keyof typeof KINDS) {
  const scheduler = new VirtualScheduler();
  const { clock } = scheduler;
  const began = clock();
  const store = memoryStore({ clock });
  const queue = memoryQueue({ clock, scheduler });
  const started: number[] = [];
  const startedAt = new Map<number, number>();
  const saidAt = new Map<number, number>();
  const run = ({ data }: { readonly data: number }) => {
    started.push(data);
    startedAt.set(data, clock() - began);
  };
  const open = (rate: number) => {
    const limiter = new RateLimiter({ mailing: KINDS[kind](rate) }, { store });
    const mailing = new Deferred<number>({ limiter, limit: "mailing", queue, scheduler });
    const worker = mailing.work(run);
    return {
      close: () => worker.close(),
      submit: async () => {
        const { wait, id } = accepted(await mailing.submit(saidAt.size));
        saidAt.set(saidAt.size, clock() - began + wait);
        return id;
      },
      cancel: (id: string) => mailing.cancel(id),
    };
  };
  return { scheduler, started, startedAt, saidAt, open };
}

const inOrder = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("with %s", (kind) => {
  test.each([
    [2, 20],
    [20, 2],
    [10, 8],
    [3, 7],
    [1, 50],
  ])("from %i to %i a second", async (before, after) => {
    const { scheduler, started, startedAt, saidAt, open } = world(kind);
    const old = open(before);
    for (let n = 0; n < 60; n++) await old.submit();
    await scheduler.advance(700);
    const closing = old.close();
    const changed = open(after);
    for (let n = 0; n < 40; n++) {
      await changed.submit();
      await scheduler.advance(400);
    }
    await scheduler.advance(200_000);
    await closing;
    expect(started).toEqual(inOrder(100));
    for (let n = 60; n < 100; n++) {
      const late = (startedAt.get(n) as number) - (saidAt.get(n) as number);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(1000 / Math.min(before, after));
    }
  });

  test.each(Array.from({ length: runs(2) }, (_, index) => FIRST_SEED + index))(
    "from any rate to any other, once (%i)",
    async (seed) => {
      const random = seededRandom(seed);
      const rate = () => Math.ceil(random() * random() * 60);
      const { scheduler, started, open } = world(kind);
      const old = open(rate());
      const count = 20 + Math.floor(random() * 60);
      for (let n = 0; n < count; n++) await old.submit();
      await scheduler.advance(random() * 3000);
      const closing = old.close();
      const changed = open(rate());
      for (let n = 0; n < 30; n++) {
        await changed.submit();
        await scheduler.advance(random() * 1000);
      }
      await scheduler.advance(1_000_000);
      await closing;
      // Jobs that the old program still holds ask by the old limit until it is closed.
      expect(started.slice(0, count).toSorted((one, other) => one - other)).toEqual(inOrder(count));
      expect(started.slice(count)).toEqual(inOrder(30).map((n) => n + count));
    },
  );

  test("who is cancelled after the change gives back what was promised before it", async () => {
    const { scheduler, saidAt, open } = world(kind);
    const old = open(2);
    const ids = [];
    for (let n = 0; n < 21; n++) ids.push(await old.submit());
    await scheduler.advance(0);
    const closing = old.close();
    const changed = open(20);
    for (const id of ids.slice(1)) await changed.cancel(id);
    await changed.submit();
    expect(saidAt.get(21)).toBeLessThanOrEqual(500);
    await scheduler.advance(1000);
    await closing;
  });
});
