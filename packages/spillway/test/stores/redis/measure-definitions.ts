/**
 * For how long a server is held up by the first call under a new definition of a limit of which many leases are in
 * flight, and by which commands, for `docs/stores/redis.md`:
 *
 *     node packages/spillway/test/stores/redis/measure-definitions.ts
 */
import { Redis } from "ioredis";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Plan } from "../../../src/limits/core/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { ONCE } from "./clients.ts";

const HOUR = 3_600_000;
const TOGETHER = 500;

await using server = await startRedis();
const client = new Redis(server.port, ONCE);
const store = redisStore(client, { deadline: 20_000 });
let ids = 0;

async function acquire(plan: Plan): Promise<void> {
  const lease = { id: ++ids, headroom: 0 };
  const budgets = [{ plan, key: "k", count: 1, reserve: false, lease }] as const;
  await store.execute({ verb: "limit", budgets });
}

/** The milliseconds of the script, and of the commands in it that take long. */
async function acquireMeasured(plan: Plan): Promise<string> {
  await client.config("RESETSTAT");
  await acquire(plan);
  const lines = (await client.info("commandstats")).matchAll(/cmdstat_(\w+):calls=\d+,usec=(\d+)/g);
  const times = new Map(Array.from(lines, ([, name, usec]) => [name, Number(usec) / 1000]));
  return ["evalsha", "copy", "zadd"].map((name) => (times.get(name) ?? 0).toFixed(1)).join(" | ");
}

console.log("| leases | `ttl` | the script, ms | `COPY` | `ZADD` |");
console.log("| --- | --- | --- | --- | --- |");
for (const many of [1000, 10_000, 100_000]) {
  for (const ttl of [HOUR, HOUR / 2]) {
    await client.flushall();
    const [before, after] = [
      planFor("it", { kind: "concurrency", capacity: 2 * many, ttl: HOUR }),
      planFor("it", { kind: "concurrency", capacity: 3 * many, ttl }),
    ];
    for (let held = 0; held < many; held += TOGETHER) {
      await Promise.all(Array.from({ length: TOGETHER }, () => acquire(before)));
    }
    console.log(
      `| ${many} | ${ttl === HOUR ? "the same" : "half"}, first call | ${await acquireMeasured(after)} |`,
    );
    console.log(`| ${many} | second call | ${await acquireMeasured(after)} |`);
  }
}
client.disconnect();
