/** A server that takes no writes fails what writes, and nothing else: refusals and looks are answered as ever. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Ask, Draw } from "../../../src/limits/core/index.ts";
import type { StoreEvent } from "../../../src/stores/redis/index.ts";
import { asking } from "../../../src/testing/asking.ts";
import { command } from "../../servers/command.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { PATIENT } from "../faults/fault.ts";
import { type Make, openClient } from "./faults/clients/connections.ts";

/** One of each way through the script. */
const LIMITS = {
  bucket: { kind: "token bucket", rate: 5, period: "366d" },
  window: { kind: "fixed window", rate: 5, period: "366d" },
  log: { kind: "sliding log", rate: 5, period: "366d" },
  jobs: { kind: "concurrency", capacity: 5, ttl: "1h" },
  lent: { kind: "token bucket", rate: 5, period: "366d", share: "1h" },
} as const;
const NAMES = ["bucket", "window", "log", "jobs"] as const;
const MAKES: readonly Make[] = ["ioredis", "node-redis", "valkey-glide"];

/** What a server takes no writes for, and how that ends. */
const REASONS = {
  OOM: ["maxmemory", 1, 0],
  NOREPLICAS: ["min-replicas-to-write", 1, 0],
} as const;

let node: RedisNode;
beforeAll(async () => {
  node = await startRedis();
});
afterAll(() => node.stop());

async function open(make: Make) {
  await command(node.port, "FLUSHALL");
  const events: StoreEvent[] = [];
  const { store, connect, close } = await openClient({
    make,
    target: { sort: "server", port: node.port },
  });
  const onEvent = (event: StoreEvent) => events.push(event);
  const limiter = new RateLimiter(LIMITS, { store: store({ deadline: PATIENT, onEvent }) });
  await connect();
  return { limiter, events, [Symbol.asyncDispose]: async () => void (await close()) };
}

async function during<T>(reason: keyof typeof REASONS, work: () => Promise<T>): Promise<T> {
  const [setting, on, off] = REASONS[reason];
  await command(node.port, "CONFIG", "SET", setting, on);
  return work().finally(() => command(node.port, "CONFIG", "SET", setting, off));
}

const unavailable = { ok: false, reason: "unavailable", degraded: true };

const cases = MAKES.flatMap((make) =>
  (Object.keys(REASONS) as (keyof typeof REASONS)[]).map((reason) => ({ make, reason })),
);
describe.each(cases)("$reason, with $make", ({ make, reason }) => {
  test("what writes fails, again and again, and does not stop what reads", async () => {
    await using opened = await open(make);
    const { limiter, events } = opened;
    const take = (limit: (typeof NAMES)[number], key: string, count = 1) =>
      limit === "jobs"
        ? limiter.acquire(limit, { key, count })
        : limiter.limit(limit, { key, count });
    for (const limit of NAMES) await take(limit, "full", 5);
    await during(reason, async () => {
      for (let round = 0; round < 20; round++) {
        // In one request, whose commands come to each other's keys.
        const answers = NAMES.map((limit) => [
          take(limit, "fresh"),
          take(limit, "full"),
          limiter.check(limit, { key: "fresh" }),
          limiter.check(limit, { key: "other" }),
          limiter.value(limit, { key: "full" }),
        ]);
        for (const [fresh, full, same, other, value] of await Promise.all(
          answers.map((all) => Promise.all(all)),
        )) {
          expect(fresh).toMatchObject(unavailable);
          expect(full).toMatchObject({ ok: false, reason: "limited", degraded: undefined });
          expect(same).toMatchObject(unavailable);
          expect(other).toMatchObject({ ok: true, degraded: undefined });
          expect(value).toMatchObject({ remaining: 0 });
        }
        // By itself, which is a way of its own through the script.
        for (const alone of ["bucket", "log", "jobs"] as const) {
          expect(await take(alone, "full")).toMatchObject({ reason: "limited" });
          expect(await take(alone, "fresh")).toMatchObject(unavailable);
        }
      }
    });
    expect(events.filter(({ type }) => type === "paused")).toEqual([]);
    const [failed] = events.filter((event) => event.type === "failed");
    expect(failed).toMatchObject({ error: { message: expect.stringMatching(`^${reason}`) } });
    for (const limit of NAMES) {
      expect(await limiter.value(limit, { key: "fresh" })).toMatchObject({ remaining: 5 });
      expect(await take(limit, "fresh")).toMatchObject({ ok: true, remaining: 4 });
    }
  });

  test("limits taken together are all charged, or none", async () => {
    await using opened = await open(make);
    const { limiter } = opened;
    const both = () =>
      limiter.limitAll([
        { limit: "bucket", key: "k", count: 3 },
        { limit: "log", key: "k", count: 3 },
      ]);
    await during(reason, async () => expect(await both()).toMatchObject({ ok: false }));
    expect(await both()).toMatchObject({ ok: true });
    await during(reason, async () => {
      expect(await both()).toMatchObject({ ok: false, refused: ["bucket", "log"] });
      expect(await both()).toMatchObject({ reason: "limited", degraded: undefined });
    });
    expect(await limiter.value("bucket", { key: "k" })).toMatchObject({ remaining: 2 });
    expect(await limiter.value("log", { key: "k" })).toMatchObject({ remaining: 2 });
  });
});

test("what is lent is refused by who lends it, and nothing is lost of it", async () => {
  await using opened = await open("ioredis");
  const { limiter } = opened;
  await during("OOM", async () => {
    expect(await limiter.limit("lent", { key: "k" })).toMatchObject(unavailable);
    expect(await limiter.check("lent", { key: "k" })).toMatchObject({ ok: true });
  });
  expect(await limiter.limit("lent", { key: "k", count: 5 })).toMatchObject({ ok: true });
});

test("a draw that gives all back fails alone, and not what is asked with it", async () => {
  await command(node.port, "FLUSHALL");
  const opened = await openClient({ make: "ioredis", target: { sort: "server", port: node.port } });
  const store = opened.store({ deadline: PATIENT });
  await opened.connect();
  const plan = planFor("lent", LIMITS.lent);
  const draw = (ask: Partial<Ask>, draw: Draw) =>
    store.execute({
      verb: "draw",
      budgets: [{ plan, key: "k", count: 0, reserve: false, ...ask }],
      draw,
    });
  await draw({}, { id: 1, want: 3, left: [], back: [] });
  await draw({ key: "full", count: 5 }, { id: 2, want: 0, left: [], back: [] });
  await during("NOREPLICAS", async () => {
    const [back, full] = await Promise.all([
      draw({}, { id: 3, want: 0, left: [], back: [{ id: 1, units: 3 }] }),
      store.execute({ verb: "limit", budgets: [{ plan, key: "full", count: 1, reserve: false }] }),
    ]);
    expect(back).toMatchObject({ decision: unavailable });
    expect(full).toMatchObject([{ ok: false, reason: "limited", degraded: undefined }]);
  });
  await opened.close();
});

test("a release that deletes a key fails with a lease that is refused before it", async () => {
  await command(node.port, "FLUSHALL");
  const opened = await openClient({ make: "ioredis", target: { sort: "server", port: node.port } });
  const store = asking(opened.store({ deadline: PATIENT }));
  await opened.connect();
  const plan = planFor("jobs", LIMITS.jobs);
  const held = { plan, key: "held" };
  const take = (key: string, id: number) =>
    store.limit({ plan, key, count: 1, reserve: false, lease: { id, headroom: 0 } });
  await take("held", 1);
  await during("OOM", async () => {
    const taken = take("fresh", 2);
    // A deletion alone would be carried out.
    const released = store.release(held, { id: 1, count: 1 });
    expect(await taken).toMatchObject(unavailable);
    await expect(released).rejects.toThrow("OOM");
  });
  expect(await store.value(held)).toMatchObject({ remaining: 4 });
  await opened.close();
});
