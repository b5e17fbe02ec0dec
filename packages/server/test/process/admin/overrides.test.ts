/** Overrides by commands, on each store that workers share. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PostgresServer } from "../../../../spillway/test/servers/postgres/server.ts";
import { type RedisNode, startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { complaint, directory, inDirectory, run, write } from "../../support/command-scene.ts";
import { startMigrated } from "../../support/postgres.ts";
import { startService } from "../../support/service-process.ts";
import { ask, YEARLY } from "../../support/yearly.ts";

inDirectory();

let redis: RedisNode;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startMigrated()]);
});

afterAll(async () => {
  await Promise.all([redis.stop(), postgres.stop()]);
});

const STORES = {
  memory: () => "memory",
  SQLite: () => `sqlite:${join(directory, "limits.db")}`,
  Redis: () => redis.url,
  Postgres: () => postgres.url,
};

const ANN = ["--domain", "shop", "--descriptor", "user=ann"];

it.each([
  ["memory", 1],
  ["SQLite", 2],
  ["Redis", 2],
  ["Postgres", 2],
] as const)("kept in %s by %i processes last until they are ended", async (store, workers) => {
  const path = join(directory, "admin.sock");
  const env = { SPILLWAY_ADMIN_URL: `unix:${path}` };
  const more = write("more.yaml", YEARLY.replace("shop", "more"));
  await using service = await startService({
    rules: YEARLY,
    store: STORES[store](),
    args: [more, "--workers", String(workers), "--admin-socket", path, "--deadline", "30000"],
  });
  await service.says(/Administration on unix:/);
  const typed = async (...args: string[]) => {
    const command = run([...args, ...ANN, "--json"], env);
    expect([await command.ended(), command.stderr]).toEqual([0, ""]);
    return JSON.parse(command.stdout);
  };
  const numbers = ["--rate", "5000", "--for", "1h"];
  const made = await typed("override", ...numbers, "--reason", "migration", "--as", "jo");
  expect(made).toMatchObject({ version: 1, values: [{ capacity: 5000, remaining: 5000 }] });
  expect((await ask(service, { count: 3000 })).body.remaining).toBe(2000);
  writeFileSync(more, YEARLY.replace("shop", "other"));
  await service.says(/\+ other\/user/);
  expect((await ask(service, { count: 1000 })).body.remaining).toBe(1000);
  expect(await typed("get")).toMatchObject({
    budgets: [{ override: { capacity: 5000, by: { version: 1, by: "socket as jo" } } }],
  });
  const stale = await complaint(["end-override", ...ANN, "--if-version", "0"], env);
  expect(stale).toMatch(/version-conflict: Found version 1, an override by socket as jo/);
  expect(await typed("end-override")).toMatchObject({ values: [{ capacity: 100, remaining: 0 }] });
  expect((await ask(service)).status).toBe(429);
});

it("are refused with options that contradict each other", async () => {
  const both = ["override", ...ANN, "--unlimited", "--rate", "9", "--reason", "x"];
  expect(await complaint(both)).toMatch(/unlimited.*cannot be used with.*rate/);
  expect(await complaint(["override", ...ANN, "--rate", "9"])).toMatch(/--reason/);
});
