/** The calls whose ways are counted: each on a store of its own, and where it needs one a real server. */
import { Redis } from "ioredis";
import { Pool } from "pg";
import { RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { redisStore } from "spillway/redis";
import { startPostgres } from "../../packages/spillway/test/servers/postgres/start.ts";
import { startRedis } from "../../packages/spillway/test/servers/redis-node.ts";

const LIMITS = {
  search: { kind: "token bucket", rate: 100_000, period: 1000 },
  pages: { kind: "token bucket", rate: 100_000, period: 1000 },
  reports: { kind: "concurrency", capacity: 10, ttl: 60_000 },
} as const;
const KEY = { key: "user 42" };
const BOTH = [
  { limit: "search", ...KEY },
  { limit: "pages", ...KEY },
] as const;
/** Milliseconds: no answer is late, however busy the machine is. */
const DEADLINE = 10_000;

/** Makes a call ready; what it has opened is disposed with the stack. */
type Opening = (stack: AsyncDisposableStack) => Promise<() => unknown>;

/** By the names under which they are shown. */
export const CALLS: { readonly [name: string]: Opening } = {
  "limit, memory": async () => {
    const limiter = new RateLimiter(LIMITS);
    return () => limiter.limit("search", KEY);
  },
  "limit, redis": async (stack) => {
    const limiter = await onRedis(stack);
    return () => limiter.limit("search", KEY);
  },
  "limit, postgres": async (stack) => {
    const { limiter } = await onPostgres(stack);
    return () => limiter.limit("search", KEY);
  },
  "within(tx).limit, postgres": async (stack) => {
    const { limiter, pool } = await onPostgres(stack);
    return () => inTransaction(pool, (client) => limiter.within(client).limit("search", KEY));
  },
  "limitAll of two, memory": async () => {
    const limiter = new RateLimiter(LIMITS);
    return () => limiter.limitAll(BOTH);
  },
  "limitAll of two, redis": async (stack) => {
    const limiter = await onRedis(stack);
    return () => limiter.limitAll(BOTH);
  },
  "acquire and release, memory": async () => {
    const limiter = new RateLimiter(LIMITS);
    return () => limiter.acquire("reports", KEY).release();
  },
};

async function onRedis(stack: AsyncDisposableStack) {
  const { port } = stack.use(await startRedis());
  const client = new Redis(port, { autoResendUnfulfilledCommands: false });
  stack.defer(() => client.disconnect());
  return new RateLimiter(LIMITS, { store: redisStore(client, { deadline: DEADLINE }) });
}

async function onPostgres(stack: AsyncDisposableStack) {
  const { url } = stack.use(await startPostgres());
  const pool = stack.adopt(new Pool({ connectionString: url }), (one) => one.end());
  await migrate(pool);
  const store = postgresStore(pool, { deadline: DEADLINE });
  return { pool, limiter: new RateLimiter(LIMITS, { store }) };
}

async function inTransaction(pool: Pool, work: (client: object) => Promise<unknown>) {
  const client = await pool.connect();
  await client.query("begin");
  await work(client);
  await client.query("commit");
  client.release();
}
