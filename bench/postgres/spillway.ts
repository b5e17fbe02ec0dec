/** This project's store: as it is, with asks that travel alone, in transactions, and on one hot key. */
import type { Pool, PoolClient } from "pg";
import { type Decision, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { AMPLE } from "../ample.ts";
import type { PostgresContender } from "./contender.ts";

/** So that a moment in which the machine is busy elsewhere does not turn a call into a refusal. */
const PATIENT = { deadline: 30_000 };

const LIMITS = {
  hourly: AMPLE,
  daily: { ...AMPLE, rate: 10_000, period: "1d" },
  weekly: { ...AMPLE, rate: 50_000, period: "7d" },
  hot: AMPLE,
  sharded: { ...AMPLE, shards: 16 },
} as const;

type Limiter = ReturnType<typeof limiterOn>;

/** What is asked in one turn of the event loop shares a statement. */
export const spillway: PostgresContender<Decision> = {
  name: "spillway",
  async open(pool) {
    await migrate(pool, { unlogged: true });
    const limiter = limiterOn(pool);
    return (key) => limiter.limit("hourly", { key });
  },
  admits,
};

/** The same, where each caller has a store of its own: there is nobody to share a statement with. */
export const oneStatementPerAsk = alone("one statement per ask", (limiter, key) =>
  limiter.limit("hourly", { key }),
);

/** All or none of three limits of one key, in one decision. */
export const threeLimits: PostgresContender<Decision> = {
  name: "three limits",
  async open(pool) {
    await migrate(pool, { unlogged: true });
    const limiter = limiterOn(pool);
    const names = ["hourly", "daily", "weekly"] as const;
    return (key) => limiter.limitAll(names.map((limit) => ({ limit, key })));
  },
  admits,
};

/** In a transaction of the caller's that does nothing else. */
export const withinTx: PostgresContender<Decision> = {
  name: "spillway within tx",
  async open(pool) {
    await migrate(pool, { unlogged: true });
    const limiter = limiterOn(pool);
    return (key) => inTransaction(pool, (tx) => limiter.within(tx).limit("hourly", { key }));
  },
  admits,
};

/** One key for all callers, each of whom has a store of its own, as many processes would. */
export const hotKey = alone("hot key", (limiter) => limiter.limit("hot", { key: "all" }));

/** The same, spread over 16 rows. */
export const hotShards = alone("hot key, 16 shards", (limiter) =>
  limiter.limit("sharded", { key: "all" }),
);

/** Runs what is to be done between a begin and a commit. */
export async function inTransaction<T>(
  pool: Pool,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const answer = await use(client);
    await client.query("commit");
    return answer;
  } finally {
    client.release();
  }
}

function alone(
  name: string,
  ask: (limiter: Limiter, key: string) => Promise<Decision>,
): PostgresContender<Decision> {
  return {
    name,
    async open(pool, callers) {
      await migrate(pool, { unlogged: true });
      const limiters = Array.from({ length: callers }, () => limiterOn(pool));
      return (key, caller) => ask(limiters[caller] as Limiter, key);
    },
    admits,
  };
}

function limiterOn(pool: Pool) {
  return new RateLimiter(LIMITS, { store: postgresStore(pool, PATIENT) });
}

function admits({ ok, degraded }: Decision): boolean {
  return ok && !degraded;
}
