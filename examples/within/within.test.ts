/** Every library's example is run on a server of its own, and all print the same. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
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
