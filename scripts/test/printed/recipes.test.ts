/** Whole programs of recipes and of pages on moving print what stands under them; a recipe is short. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { createServer, createService, parseRules } from "spillway-server";
import { expect, test } from "vitest";
import { startPostgres } from "../../../packages/spillway/test/servers/postgres/start.ts";
import { startRedis } from "../../../packages/spillway/test/servers/redis-node.ts";
import { fences, ROOT, read } from "../pages.ts";
import { withProgram } from "./printed.ts";

const LONGEST = 300;

/** Pages whose programs print what is left, or have a timeout; none waits for a start. */
const UNHURRIED = ["llm-tokens", "login-protection", "service"].map(
  (name) => `docs/recipes/${name}.md`,
);
const PRELOADED = new URL("unhurried.mjs", import.meta.url).href;

const pagesIn = (folder: string) =>
  readdirSync(`${ROOT}/${folder}`)
    .filter((file) => file !== "README.md")
    .map((file) => `${folder}/${file}`);

const recipes = pagesIn("docs/recipes");
const moving = pagesIn("docs/moving").filter((page) => fences(read(page), "text").length > 0);

/** What a program needs beside itself, by the variable that names its address. */
const SERVERS: { readonly [variable: string]: (page: string) => Promise<Running> } = {
  REDIS_URL: () => startRedis(),
  DATABASE_URL: () => startPostgres(),
  SPILLWAY_URL: async (page) => {
    const [text = ""] = fences(read(page), "yaml");
    const rules = parseRules([{ name: "rules.yaml", text }]);
    const server = await createServer({ service: createService({ rules }), quiet: 0 });
    const url = await server.listen({ port: 0, host: "127.0.0.1" });
    return { url, [Symbol.asyncDispose]: () => server.close() };
  },
};

type Running = AsyncDisposable & { readonly url: string };

/** What the page's program prints, with the servers that it reads from its environment. */
async function printed(page: string): Promise<string> {
  const [program = ""] = fences(read(page), "ts");
  await using servers = new AsyncDisposableStack();
  const env = { ...process.env };
  for (const [variable, start] of Object.entries(SERVERS)) {
    delete env[variable];
    if (program.includes(`process.env.${variable}`))
      env[variable] = servers.use(await start(page)).url;
  }
  return await withProgram(page, async (file) => {
    const args = UNHURRIED.includes(page) ? ["--import", PRELOADED, file] : [file];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return stdout;
  });
}

/** The page without its programs and what they print. */
const prose = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, "");

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

test.concurrent.each([...recipes, ...moving])("%s prints what it says", async (page) => {
  expect(await printed(page)).toBe(`${fences(read(page), "text")[0]}\n`);
});

test.each(recipes)("%s is short", (page) => {
  expect(wordsOf(prose(read(page)))).toBeLessThanOrEqual(LONGEST);
});
