/** What a reader runs first prints what the README and the quick start say. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { freePort } from "../../../packages/spillway/test/servers/ports.ts";
import { startRedis } from "../../../packages/spillway/test/servers/redis-node.ts";
import { fences, read } from "../pages.ts";
import { withProgram, withServer } from "./printed.ts";

const QUICKSTART = "docs/quickstart.md";

type Program = {
  readonly page: string;
  /** Which of the page's programs; 0 is the first. */
  readonly index?: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** What a program writes to the terminal: what it prints, then what it warns of. */
function written({ page, index = 0, env = {} }: Program): Promise<string> {
  const options = { env: { ...process.env, ...env } };
  return withProgram(
    page,
    async (file) => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], options);
      return stderr + stdout;
    },
    index,
  );
}

const texts = (page: string, language = "text") => fences(read(page), language);

test.each([
  ["README.md", 900],
  ["llms.txt", 2000],
])("%s is short", (page, most) => {
  expect(read(page).split(/\s+/).length).toBeLessThanOrEqual(most);
});

test("the README's first program prints what it says", async () => {
  expect(await written({ page: "README.md" })).toBe(`${texts("README.md")[0]}\n`);
});

describe("the quick start", () => {
  test("has a limit that refuses the fourth message", async () => {
    expect(await written({ page: QUICKSTART })).toBe(`${texts(QUICKSTART)[0]}\n`);
  });

  test("has a route that refuses the fourth message", async () => {
    const [, ...said] = (texts(QUICKSTART, "console")[0] ?? "").split("\n");
    const heard = await withServer(
      QUICKSTART,
      async (url) => {
        const bodies = [];
        for (let sent = 0; sent < 4; sent++) {
          const response = await fetch(`${url}/messages`, { method: "POST" });
          bodies.push((await response.text()).trimEnd());
        }
        return bodies;
      },
      1,
    );
    expect(heard).toEqual(said);
  });

  test("has a limit that four runs share", async () => {
    await using redis = await startRedis();
    const runs = [];
    for (let run = 0; run < 4; run++)
      runs.push(await written({ page: QUICKSTART, index: 2, env: { REDIS_URL: redis.url } }));
    expect(runs.join("")).toBe(`${texts(QUICKSTART)[1]}\n`);
  });

  test("shows what a Redis that is not there does", async () => {
    const port = String(await freePort());
    const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
    const [, ...said] = (texts(QUICKSTART, "console")[1] ?? "").split("\n");
    const lines = (await written({ page: QUICKSTART, index: 2, env })).trimEnd().split("\n");
    expect(lines.map((line) => line.replaceAll(port, "6390"))).toEqual(said);
  });
});
