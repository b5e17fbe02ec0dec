/**
 * A primary that has become a read-only replica: whatever writes fails with READONLY, in each way
 * through the script, and the client is told, so that it can look for the new primary.
 */
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Draw } from "../../../src/limits/core/index.ts";
import type { StoreEvent } from "../../../src/stores/redis/index.ts";
import { command, textFrom } from "../../servers/command.ts";
import { LOOPBACK } from "../../servers/ports.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { PATIENT } from "../faults/fault.ts";
import { openClient } from "./faults/clients/connections.ts";

const LIMITS = {
  bucket: { kind: "token bucket", rate: 5, period: "366d" },
  window: { kind: "fixed window", rate: 5, period: "366d" },
  log: { kind: "sliding log", rate: 5, period: "366d" },
  jobs: { kind: "concurrency", capacity: 5, ttl: "1h" },
} as const;
const NAMES = ["bucket", "window", "log"] as const;
const LENT = planFor("lent", { kind: "token bucket", rate: 5, period: "366d", share: "1h" });
const unavailable = { ok: false, reason: "unavailable", degraded: true };

async function follow(node: RedisNode, { port }: RedisNode): Promise<void> {
  await command(node.port, "REPLICAOF", LOOPBACK, port);
  const follows = async () =>
    (await textFrom(node.port, "INFO", "replication")).includes("master_link_status:up");
  await until(follows, { what: "the replica follows" });
}

/** A server with a limiter, and one that can take over from it. */
async function open(stack: AsyncDisposableStack) {
  const args = ["--repl-diskless-sync-delay", "0"];
  const old = stack.use(await startRedis({ args }));
  const next = stack.use(await startRedis({ args }));
  const events: StoreEvent[] = [];
  const target = { sort: "server", port: old.port } as const;
  const { store, connect, close } = await openClient({ make: "ioredis", target });
  stack.defer(() => void close());
  const onEvent = (event: StoreEvent) => events.push(event);
  const breaker = { failures: 1000, pause: 1000 };
  const kept = store({ deadline: PATIENT, breaker, onEvent });
  await connect();
  const draw = (one: Draw) =>
    kept.execute({
      verb: "draw",
      budgets: [{ plan: LENT, key: "k", count: 0, reserve: false }],
      draw: one,
    });
  /** The other server takes over, and this one follows it. */
  const failOver = async () => {
    await follow(next, old);
    await command(next.port, "REPLICAOF", "NO", "ONE");
    await follow(old, next);
  };
  return { old, limiter: new RateLimiter(LIMITS, { store: kept }), draw, events, failOver };
}

test("what writes fails with the server's own error, and what reads is answered", async () => {
  await using stack = new AsyncDisposableStack();
  const { old, limiter, draw, events, failOver } = await open(stack);
  for (const limit of NAMES) await limiter.limit(limit, { key: "k" });
  await draw({ id: 1, want: 3, left: [], back: [] });
  await failOver();
  const back = { id: 3, want: 0, left: [], back: [{ id: 1, units: 3 }] };
  const writes: (() => PromiseLike<unknown>)[] = [
    ...NAMES.map((limit) => () => limiter.limit(limit, { key: "k" })),
    ...NAMES.map((limit) => () => limiter.limit(limit, { key: "fresh" })),
    () => limiter.acquire("jobs", { key: "k" }),
    // What is drawn is written, and what is given back as a whole deletes the key.
    async () => (await draw({ id: 2, want: 1, left: [], back: [] })).decision,
    async () => (await draw(back)).decision,
  ];
  for (const write of writes) {
    events.length = 0;
    expect(await write()).toMatchObject(unavailable);
    const [failed] = events.filter((event) => event.type === "failed");
    expect(failed).toMatchObject({ error: { message: expect.stringMatching(/^READONLY/) } });
  }
  for (const limit of NAMES) {
    expect(await limiter.check(limit, { key: "k" })).toMatchObject({ ok: true, remaining: 3 });
    expect(await limiter.value(limit, { key: "k" })).toMatchObject({ remaining: 4 });
  }
  await command(old.port, "REPLICAOF", "NO", "ONE");
  for (const limit of NAMES) {
    expect(await limiter.limit(limit, { key: "k" })).toMatchObject({ ok: true, remaining: 3 });
  }
  expect((await draw(back)).decision).toMatchObject({ ok: true, remaining: 5 });
});
