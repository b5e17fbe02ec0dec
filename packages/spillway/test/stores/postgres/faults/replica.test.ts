/** A replica tells what is left, and takes nothing until it is promoted. */
import { Pool } from "pg";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import { postgresStore } from "../../../../src/stores/postgres/index.ts";
import { query } from "../../../servers/postgres/query.ts";
import { obstacleToReplicas, replicaOf } from "../../../servers/postgres/start.ts";
import { until } from "../../../servers/until.ts";
import { LIMITS, NAMES, UNITS } from "./customer.ts";
import { migrated } from "./migrated.ts";

const OPTIONS = { deadline: 10_000, breaker: { failures: 1000 } };
const KEY = "everybody";

test("limits on a replica", async ({ skip }) => {
  const obstacle = await obstacleToReplicas();
  if (obstacle !== undefined) return skip(obstacle);
  await using server = await migrated();
  await using replica = await replicaOf(server);
  await using pools = new AsyncDisposableStack();
  const limiterOn = ({ url }: { readonly url: string }) => {
    const pool = new Pool({ connectionString: url, max: 2 });
    pools.defer(() => pool.end());
    return new RateLimiter(LIMITS, { store: postgresStore(pool, OPTIONS) });
  };
  const [limiter, onReplica] = [limiterOn(server), limiterOn(replica)];

  for (const name of NAMES) await limiter.limit(name, { key: KEY, count: 3 });
  for (const name of NAMES) {
    const left = async () => (await onReplica.value(name, { key: KEY })).remaining;
    await until(async () => (await left()) === UNITS - 3, { what: "it is on the replica" });
    const admitted = { ok: true, remaining: UNITS - 4 };
    expect(await onReplica.check(name, { key: KEY })).toMatchObject(admitted);
    const refused = { ok: false, reason: "unavailable", degraded: true };
    expect(await onReplica.limit(name, { key: KEY })).toMatchObject(refused);
  }

  await server.kill();
  await query(replica, "select pg_promote()");
  for (const name of NAMES) {
    const admitted = { ok: true, remaining: UNITS - 4 };
    expect(await onReplica.limit(name, { key: KEY })).toMatchObject(admitted);
  }
});
