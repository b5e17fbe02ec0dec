/** Deferred work on real queues, and a book of its starts that the queue's own store keeps, by its clock. */
import { bullmqQueue, Deferred, type JobQueue, pgBossQueue } from "../../src/deferred/index.ts";
import { type AnyLimiter, type LeakyBucket, RateLimiter } from "../../src/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { migrate, postgresStore } from "../../src/stores/postgres/index.ts";
import { redisStore } from "../../src/stores/redis/index.ts";

export type Place = { readonly queue: "bullmq" | "pg-boss"; readonly port: number };

/** What is to be done: how long it takes, and how often it fails before it succeeds. */
export type Task = { readonly ms: number; readonly fails?: number };

/** A line of the book. */
export type Entry = {
  readonly id: string;
  readonly what: "start" | "end";
  readonly pid: number;
  /** Milliseconds, by the store's clock. */
  readonly at: number;
};

export type Open = {
  readonly mailing: Deferred<Task>;
  readonly queue: JobQueue;
  readonly store: Store<"later">;
  readonly limiter: AnyLimiter;
  write(entry: Pick<Entry, "id" | "what">): Promise<void>;
  book(): Promise<readonly Entry[]>;
  close(): Promise<void>;
};

export function open({ queue, port }: Place, limit: LeakyBucket): Promise<Open> {
  return queue === "bullmq" ? openBull(port, limit) : openBoss(port, limit);
}

const WRITE = `local t = redis.call("TIME")
redis.call("RPUSH", KEYS[1], ARGV[1] .. " " .. string.format("%.0f", t[1] * 1000 + math.floor(t[2] / 1000)))`;

/** Lost locks are noticed within a second, and a job may be found without its worker as often as it takes. */
const QUICK = { lockDuration: 1000, stalledInterval: 500, maxStalledCount: 100, concurrency: 3 };

/** A process loads the drivers that it needs, and no others. */
async function openBull(port: number, limit: LeakyBucket): Promise<Open> {
  const [{ Queue, Worker }, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
  const connection = { port, host: "127.0.0.1", maxRetriesPerRequest: null };
  // A command whose answer was lost may have been carried out; ioredis says nothing of it to who waits, but for the timeout.
  const once = { autoResendUnfulfilledCommands: false, commandTimeout: 2000 };
  const redis = new Redis({ ...connection, ...once, retryStrategy: () => 50 });
  const settings = { connection: { ...connection, retryStrategy: () => 50 } };
  const queue = new Queue("mailing", settings);
  for (const each of [redis, queue]) each.on("error", () => {});
  const worker = (processor: (job: never, token?: string) => Promise<unknown>) => {
    const made = new Worker("mailing", processor as never, { ...settings, ...QUICK });
    made.on("error", () => {});
    return made;
  };
  const store = redisStore(redis, { deadline: 1000 });
  const limiter = new RateLimiter({ mailing: limit }, { store });
  const options = { redis, worker: worker as never, attempts: 100, backoff: 100 };
  const jobs = bullmqQueue(queue, options);
  return {
    mailing: new Deferred<Task>({ limiter, limit: "mailing", queue: jobs }),
    queue: jobs,
    store,
    limiter,
    write: async ({ id, what }) => {
      await redis.eval(WRITE, 1, "book", `${id} ${what} ${process.pid}`);
    },
    book: async () => (await redis.lrange("book", 0, -1)).map(entryOf),
    close: async () => {
      await queue.close();
      redis.disconnect();
    },
  };
}

function entryOf(line: string): Entry {
  const [id = "", what = "", pid, at] = line.split(" ");
  return { id, what: what as Entry["what"], pid: Number(pid), at: Number(at) };
}

const BOOK = `create table if not exists book (
  n bigserial, id uuid, what text, pid int,
  at bigint default floor(extract(epoch from clock_timestamp()) * 1000)
)`;

async function openBoss(port: number, limit: LeakyBucket): Promise<Open> {
  const [{ Pool }, { default: PgBoss }] = await Promise.all([import("pg"), import("pg-boss")]);
  const server = { host: "127.0.0.1", port, user: "postgres", database: "postgres" };
  const pool = new Pool({ ...server, max: 8 });
  pool.on("error", () => {});
  const boss = new PgBoss({ ...server, max: 4, maintenanceIntervalSeconds: 1, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue("mailing");
  await pool.query(BOOK);
  await migrate(pool);
  const store = postgresStore(pool, { deadline: 1000 });
  const limiter = new RateLimiter({ mailing: limit }, { store });
  const settings = { name: "mailing", pool, longest: 1000, attempts: 100, backoff: 0, poll: 50 };
  const jobs = pgBossQueue(boss, settings);
  return {
    mailing: new Deferred<Task>({ limiter, limit: "mailing", queue: jobs }),
    queue: jobs,
    store,
    limiter,
    write: async ({ id, what }) => {
      const values = [id, what, process.pid];
      await pool.query("insert into book (id, what, pid) values ($1, $2, $3)", values);
    },
    book: async () => {
      const { rows } = await pool.query("select id, what, pid, at from book order by n");
      return rows.map((row) => ({ ...row, at: Number(row.at) }));
    },
    close: async () => {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
