/** How the cost of a call on a Postgres server grows with what its key holds. */
import type { Pool } from "pg";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { manualClock } from "spillway/testing";
import { Server } from "../postgres/server.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "./part.ts";

const SIZES = [1000, 10_000] as const;
const ROUNDS = 9;
/** In a turn of one call. */
const CALLS = 20;

export const postgresLists: Part = {
  name: "logs and leases on Postgres",
  async measure(progress) {
    await using server = await Server.start();
    const contestants: Contestant<Cost>[] = [await doingNothing(server)];
    for (const size of SIZES) contestants.push(...(await onLists(server, size)));
    const title = `one key, Postgres ${await server.version()}: µs of the server`;
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf(title, measured, { figure: "cost", unit: "server µs a call" })];
  },
};

/** Microseconds that the functions of a store take. */
type Cost = { readonly cost: number };

/** By the server's own count of what functions that are called from outside take. */
async function functionTime(pool: Pool): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    `select sum(total_time) as ms from pg_stat_user_functions
    where funcname ~ '^(v\\d+_(execute|peek|take_from_buckets|take_present)|nothing)$'`,
  );
  return Number(rows[0].ms) * 1000;
}

function contestant(pool: Pool, name: string, call: () => Promise<unknown>): Contestant<Cost> {
  return {
    name,
    async measure() {
      const before = await functionTime(pool);
      for (let made = 0; made < CALLS; made++) await call();
      return { cost: ((await functionTime(pool)) - before) / CALLS };
    },
  };
}

async function doingNothing(server: Server): Promise<Contestant<Cost>> {
  const pool = connect(server);
  await pool.query(
    "create function nothing() returns int language plpgsql as 'begin return 1; end'",
  );
  const statement = { name: "nothing", text: "select nothing()" };
  return contestant(pool, "a function that does nothing", () => pool.query(statement));
}

/** One connection, so that it has counted what it did before it is asked. */
function connect(server: Server): Pool {
  const pool = server.connect(1);
  pool.on("connect", (client) => void client.query("set track_functions = 'pl'"));
  return pool;
}

/** By a clock of its own, so that each unit has an instant of its own. */
async function onLists(server: Server, size: number): Promise<readonly Contestant<Cost>[]> {
  const pool = connect(server);
  const schema = `of_${size}`;
  await migrate(pool, { schema, unlogged: true });
  const clock = manualClock();
  const store = postgresStore(pool, { schema, clock, deadline: 60_000 });
  const limits = {
    log: { kind: "sliding log", rate: size, period: DAY },
    jobs: { kind: "concurrency", capacity: size, ttl: DAY },
  } as const;
  const limiter = new RateLimiter(limits, { store, warn: () => {} });
  const held: { renew(): Promise<boolean> }[] = [];
  for (let taken = 0; taken < size; taken += 100) {
    clock.advance(1);
    held.push(...(await Promise.all(Array.from({ length: 100 }, () => limiter.acquire("jobs")))));
    for (let each = 0; each < 100; each++) {
      clock.advance(1);
      await limiter.limit("log");
    }
  }
  const half = size / 2;
  let next = half;
  return [
    contestant(pool, `log of ${size}: half refused`, () => limiter.limit("log", { count: half })),
    contestant(pool, `log of ${size}: settled and taken, two calls`, async () => {
      await limiter.settle("log", { reserved: 1, used: 0 });
      await limiter.limit("log");
    }),
    contestant(pool, `leases of ${size}: half refused`, () =>
      limiter.acquire("jobs", { count: half }),
    ),
    contestant(pool, `leases of ${size}: all refused`, () =>
      limiter.acquire("jobs", { count: size }),
    ),
    contestant(pool, `leases of ${size}: renewed`, async () => {
      await held[next++ % size]?.renew();
    }),
  ];
}
