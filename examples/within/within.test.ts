/** Every library's example is run on a server of its own, and all print the same; so is the README's. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "../../packages/spillway/test/servers/postgres/query.ts";
import type { PostgresServer } from "../../packages/spillway/test/servers/postgres/server.ts";
import { startPostgres } from "../../packages/spillway/test/servers/postgres/start.ts";

type Story = (url: string) => Promise<readonly string[]>;

const STORY = [
  "cup: ordered, 2 left",
  "cup: refused by the database, 2 left",
  "jug: ordered, 1 left",
  "pot: ordered, 0 left",
  "pan: refused by the limit, 0 left",
];

const FOLDER = new URL(".", import.meta.url);
const files = readdirSync(FOLDER).filter((file) => /(?<!\.test)\.ts$/.test(file));
const examples = files.filter((file) => file !== "story.ts");

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(examples)("%s: an order and its quota, or neither", async (file) => {
  const { story } = (await import(new URL(file, FOLDER).href)) as { story: Story };
  expect(await story(server.url)).toEqual(STORY);
});

test("the README's order and its quota are committed together", async () => {
  const readme = readFileSync(new URL("../../README.md", FOLDER), "utf8");
  const fences = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);
  const code = fences.find((one) => one.includes("limiter.within(tx)")) ?? "";
  const scratch = fileURLToPath(new URL("../../.spillway/", FOLDER));
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "readme-"));
  const file = join(folder, "readme.ts");
  const url = JSON.stringify(server.url);
  writeFileSync(file, `${code.replace('"postgres://127.0.0.1/shop"', url)}\nawait sql.end();\n`);
  await query(server, "drop table if exists orders; create table orders (tenant text, item text)");
  try {
    await import(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(await query(server, "select * from orders")).toEqual([
    { tenant: "tenant 7", item: "boots" },
  ]);
  const used = "select used from spillway.budgets where id = '11:createOrder=tenant 7'";
  expect(await query(server, used)).toEqual([{ used: 1 }]);
});
