/** Overrides while their store is killed: none that was answered is lost, none comes back later. */
import { Redis } from "ioredis";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Store } from "../../../src/limits/core/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { runs } from "../../runs.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { LIMIT } from "./definitions.ts";

const KILLS = runs(2);
/** Overrides that are answered before a kill; another one is under way then. */
const ANSWERED = 20;
/** Milliseconds: a machine that is busy is no outage. */
const PATIENT = 5000;
const key = "customer";

/** A store on a server that can be killed. It keeps on disk what it has answered. */
type Victim = AsyncDisposable & {
  readonly store: Store<"later">;
  kill(): Promise<void>;
  restart(): Promise<void>;
};

async function onRedis(): Promise<Victim> {
  const server = await startRedis({ persistence: true });
  const client = new Redis(server.port, { autoResendUnfulfilledCommands: false });
  client.on("error", () => {});
  return {
    store: redisStore(client, { deadline: PATIENT, warn: () => {} }),
    kill: () => server.kill(),
    restart: () => server.restart(),
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await server.stop();
    },
  };
}

async function onPostgres(): Promise<Victim> {
  const server = await startPostgres({ settings: { fsync: "on", synchronous_commit: "on" } });
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on("error", () => {});
  await migrate(pool);
  return {
    store: postgresStore(pool, { deadline: PATIENT, warn: () => {} }),
    kill: () => server.kill(),
    restart: () => server.restart(),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await server.stop();
    },
  };
}

describe.each([
  ["redis", onRedis],
  ["postgres", onPostgres],
] as const)("on %s", (_, start) => {
  test("an answered override is in force after a kill, and an unanswered one never comes back", async () => {
    await using victim = await start();
    const limiter = new RateLimiter({ api: LIMIT }, { store: victim.store });
    /** Each override has a capacity of its own, so that a check tells which one it is. */
    let sent = LIMIT.capacity;
    const send = async () => {
      const capacity = ++sent;
      await limiter.override("api", { key, rate: capacity, capacity, for: "30d" });
      return capacity;
    };
    const inForce = async () => (await limiter.check("api", { key })).capacity;
    for (let kill = 0; kill < KILLS; kill++) {
      let answered = 0;
      const sending = (async () => {
        for (;;) answered = await send();
      })();
      const first = sent + ANSWERED;
      await until(() => answered >= first, { what: `${ANSWERED} overrides are answered` });
      await Promise.all([victim.kill(), sending.catch(() => {})]);
      await victim.restart();
      const afterwards = await answerOf(inForce);
      expect(afterwards).toBeGreaterThanOrEqual(answered);
      expect(afterwards).toBeLessThanOrEqual(sent);
      const last = await send();
      expect(await inForce()).toBe(last);
    }
  });
});

/** Waits until the store answers again. */
async function answerOf(ask: () => Promise<number>): Promise<number> {
  let answer: number | undefined;
  const answers = async () => {
    answer = await ask().catch(() => undefined);
    return answer !== undefined;
  };
  await until(answers, { what: "the store answers again" });
  return answer as number;
}
