/** Overrides that begin and end while other processes ask: each decision is by one definition. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { migrate } from "../../../src/stores/postgres/index.ts";
import { runs } from "../../runs.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { beginTogether, Child } from "../child.ts";
import { open, type Place } from "../leases/places.ts";
import { isOfOne, LIMIT, OVERRIDES, type Seen } from "./definitions.ts";

const PROCESSES = 4;
const CHANGES = runs(100);
const PROGRAM = new URL("./asker.ts", import.meta.url);

const stack = new AsyncDisposableStack();
const places = new Map<Place["store"], Place>();

beforeAll(async () => {
  const redis = stack.use(await startRedis());
  places.set("redis", { store: "redis", at: `${redis.port}` });
  const postgres = stack.use(await startPostgres());
  places.set("postgres", { store: "postgres", at: postgres.url });
  const pool = new pg.Pool({ connectionString: postgres.url });
  await migrate(pool);
  await pool.end();
  const folder = mkdtempSync(join(tmpdir(), "spillway-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  places.set("sqlite", { store: "sqlite", at: join(folder, "overrides.db") });
});

afterAll(() => stack.disposeAsync());

function seenBy({ said }: Child): readonly Seen[] {
  return said
    .split("\n")
    .slice(1, -1)
    .map((line) => {
      const [capacity, remaining, resetAfter, overridden] = line.split(" ");
      return {
        capacity: Number(capacity),
        remaining: Number(remaining),
        resetAfter: Number(resetAfter),
        overridden: overridden === "true",
      };
    });
}

/** What a process has said of its latest decision. */
function latestOf({ said }: Child): string {
  return said.slice(said.lastIndexOf("\n", said.length - 2) + 1);
}

/** Makes a change, and returns the capacity by which the next decision has to go. */
async function change(limiter: RateLimiter<{ api: typeof LIMIT }>, nth: number): Promise<number> {
  const key = "customer";
  const override = OVERRIDES[nth % 3];
  if (nth % 7 === 0) await limiter.reset("api", { key });
  if (override === undefined) await limiter.endOverride("api", { key });
  else await limiter.override("api", { key, ...override, for: "30d" });
  return override?.capacity ?? LIMIT.capacity;
}

describe.each(["redis", "postgres", "sqlite"] as const)("on %s", (store) => {
  test(`${CHANGES} changes: the next call goes by each, others soon, and none by a mixture`, async () => {
    const place = places.get(store) as Place;
    const askers = await beginTogether(
      Array.from({ length: PROCESSES }, () => new Child(PROGRAM, place)),
    );
    const opened = open(place);
    const limiter = new RateLimiter({ api: LIMIT }, { store: opened.store });
    for (let nth = 0; nth < CHANGES; nth++) {
      const capacity = await change(limiter as RateLimiter<{ api: typeof LIMIT }>, nth);
      expect(await limiter.check("api", { key: "customer" })).toMatchObject({ capacity });
      const asker = askers[nth % PROCESSES] as Child;
      await asker.until(() => latestOf(asker).startsWith(`${capacity} `));
    }
    for (const asker of askers) asker.end();
    await Promise.all(askers.map((asker) => asker.done()));
    await opened.close();
    const seen = askers.flatMap(seenBy);
    expect(seen.filter((decision) => !isOfOne(decision))).toEqual([]);
  });
});

test("a mixture of two definitions is noticed", () => {
  const full = { capacity: 60, remaining: 59, overridden: true };
  expect(isOfOne({ ...full, resetAfter: 40_000 })).toBe(true);
  expect(isOfOne({ ...full, resetAfter: 360_000 })).toBe(false);
  expect(isOfOne({ ...full, resetAfter: 40_000, overridden: false })).toBe(false);
  expect(isOfOne({ ...full, capacity: 61, resetAfter: 40_000 })).toBe(false);
});
