/**
 * `npm run journey [-- NAME]`: how many files and functions of the library one warm call runs through,
 * on real servers; with a name, such as "limit, redis", each function of that way.
 */
import { Redis } from "ioredis";
import { Pool } from "pg";
import { RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { redisStore } from "spillway/redis";
import { startPostgres } from "../packages/spillway/test/servers/postgres/start.ts";
import { startRedis } from "../packages/spillway/test/servers/redis-node.ts";
import { type Way, wayOf } from "./journey/coverage.ts";

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

type Journey = readonly [name: string, call: () => unknown];

async function journeys(stack: AsyncDisposableStack): Promise<readonly Journey[]> {
  const memory = new RateLimiter(LIMITS);
  const redis = stack.use(await startRedis());
  const client = stack.adopt(
    new Redis(redis.port, { autoResendUnfulfilledCommands: false }),
    (one) => one.disconnect(),
  );
  const onRedis = new RateLimiter(LIMITS, { store: redisStore(client, { deadline: 10_000 }) });
  const server = stack.use(await startPostgres());
  const pool = stack.adopt(new Pool({ connectionString: server.url }), (one) => one.end());
  await migrate(pool);
  const onPostgres = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 10_000 }) });
  return [
    ["limit, memory", () => memory.limit("search", KEY)],
    ["limit, redis", () => onRedis.limit("search", KEY)],
    ["limit, postgres", () => onPostgres.limit("search", KEY)],
    ["within(tx).limit, postgres", () => inTransaction(pool, onPostgres)],
    ["limitAll of two, memory", () => memory.limitAll(BOTH)],
    ["limitAll of two, redis", () => onRedis.limitAll(BOTH)],
    ["acquire and release, memory", () => memory.acquire("reports", KEY).release()],
  ];
}

async function inTransaction(pool: Pool, limiter: RateLimiter<typeof LIMITS, "later">) {
  const client = await pool.connect();
  await client.query("begin");
  await limiter.within(client).limit("search", KEY);
  await client.query("commit");
  client.release();
}

function row(name: string, { files, functions, calls }: Omit<Way, "steps">): string {
  return `| ${name} | ${files} | ${functions} | ${calls} |`;
}

const wanted = process.argv[2];
await using stack = new AsyncDisposableStack();
console.log("| call | files | functions | calls |\n|---|---|---|---|");
for (const [name, call] of await journeys(stack)) {
  if (wanted !== undefined && wanted !== name) continue;
  const way = await wayOf(call);
  console.log(row(name, way));
  if (wanted === undefined) continue;
  for (const { file, name, calls } of way.steps)
    console.log(`${file}  ${name || "(anonymous)"}  ${calls}`);
}
