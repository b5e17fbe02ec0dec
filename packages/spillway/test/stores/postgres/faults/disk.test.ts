/** A full disk refuses new keys, and forgets nothing. */
import { Pool } from "pg";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import { sqlState } from "../../../../src/stores/postgres/clients/sql-state.ts";
import { postgresStore, type StoreEvent } from "../../../../src/stores/postgres/index.ts";
import { query } from "../../../servers/postgres/query.ts";
import { smallDisk } from "../../../servers/postgres/small-disk.ts";
import { until } from "../../../servers/until.ts";
import { LIMITS, UNITS } from "./customer.ts";
import { migrated } from "./migrated.ts";

const DISK_FULL = "53100";

test("limits on a full disk", async ({ skip }) => {
  await using server = await migrated();
  const disk = await smallDisk(server);
  if ("obstacle" in disk) return skip(disk.obstacle);
  await using mounted = disk;
  const place = mounted.tablespace;
  await query(server, `alter table spillway.budgets set tablespace ${place}`);
  await query(server, `alter index spillway.budgets_pkey set tablespace ${place}`);
  await using pools = new AsyncDisposableStack();
  const pool = new Pool({ connectionString: server.url, max: 2 });
  pools.defer(() => pool.end());
  const states = new Set<string | undefined>();
  const onEvent = (event: StoreEvent) => {
    if (event.type === "failed") states.add(sqlState(event.error));
  };
  const store = postgresStore(pool, { deadline: 10_000, onEvent, breaker: { pause: 1 } });
  const limiter = new RateLimiter(LIMITS, { store });
  const isAdmitted = async (key: string) => (await limiter.limit("token bucket", { key })).ok;

  expect(await isAdmitted("first")).toBe(true);
  await mounted.fill();
  const admitted = ["first"];
  for (let key = "new"; await isAdmitted(key); key = `new ${admitted.length}`) admitted.push(key);
  expect([...states]).toEqual([DISK_FULL]);

  await mounted.empty();
  await until(() => isAdmitted("last"), { what: "there is room again" });
  for (const key of [...admitted, "last"]) {
    const { remaining } = await limiter.value("token bucket", { key });
    expect({ key, remaining }).toEqual({ key, remaining: UNITS - 1 });
  }
});
