/** How the cost of a call on a SQLite file grows with what its key holds. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { DAY, RateLimiter } from "spillway";
import { sqliteStore } from "spillway/sqlite";
import { manualClock } from "spillway/testing";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "./part.ts";

const SIZES = [1000, 10_000] as const;
const ROUNDS = 9;
const CALLS = 50;
/** Bytes of an entry of a log. */
const ENTRY = 16;

export const sqliteLists: Part = {
  name: "logs and leases on SQLite",
  async measure(progress) {
    await using folder = await mkdtempDisposable(join(tmpdir(), "spillway-bench-"));
    const contestants = SIZES.flatMap((size) => [
      ...onLists(size, join(folder.path, `${size}.db`)),
      bareTransaction(size, join(folder.path, `${size}-bare.db`)),
    ]);
    const title = "one key in a SQLite file: µs a call";
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf(title, measured, { figure: "us", unit: "µs" })];
  },
};

type Time = { readonly us: number };

function contestant(name: string, call: () => unknown): Contestant<Time> {
  return {
    name,
    async measure() {
      const start = performance.now();
      for (let made = 0; made < CALLS; made++) call();
      return { us: ((performance.now() - start) * 1000) / CALLS };
    },
  };
}

/** A log and leases, filled by few calls: what they hold is what matters. */
function onLists(size: number, path: string): readonly Contestant<Time>[] {
  const clock = manualClock();
  const store = sqliteStore(new DatabaseSync(path), { clock });
  const limits = {
    log: { kind: "sliding log", rate: size, period: DAY },
    jobs: { kind: "concurrency", capacity: size, ttl: DAY },
  } as const;
  const limiter = new RateLimiter(limits, { store });
  for (let taken = 1; taken < size; taken++) {
    clock.advance(1);
    limiter.limit("log");
    limiter.acquire("jobs");
  }
  return [
    contestant(`log of ${size}: check`, () => limiter.check("log")),
    contestant(`log of ${size}: half refused`, () => limiter.limit("log", { count: size / 2 })),
    contestant(`log of ${size}: taken and settled, two calls`, () => {
      limiter.limit("log");
      limiter.settle("log", { reserved: 1, used: 0 });
    }),
    contestant(`leases of ${size}: half refused`, () =>
      limiter.acquire("jobs", { count: size / 2 }),
    ),
    contestant(`leases of ${size}: acquire and release, two calls`, () =>
      limiter.acquire("jobs").release(),
    ),
  ];
}

/** Reads as many bytes as a log of so many entries has, and writes them. */
function bareTransaction(size: number, path: string): Contestant<Time> {
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal; pragma synchronous = normal");
  database.exec("create table logs (id text primary key, log blob) without rowid");
  const write = database.prepare("replace into logs values ('log', ?)");
  const read = database.prepare("select log from logs where id = 'log'");
  write.run(new Uint8Array(size * ENTRY));
  return contestant(`bare transaction on ${size * ENTRY} bytes`, () => {
    database.exec("begin immediate");
    write.run((read.get() as { log: Uint8Array }).log);
    database.exec("commit");
  });
}
