/** The quick start of each adapter's page, and programs whose output is printed, run as they are. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { fences, read } from "../pages.ts";
import { withModule, withProgram, withServer } from "./printed.ts";

/** Pages whose first program is a server with a login. */
const SERVERS = [
  { page: "docs/middleware/node.md", method: "GET" },
  { page: "docs/middleware/express.md", method: "POST" },
  { page: "docs/middleware/koa.md", method: "POST" },
  { page: "docs/middleware/nest.md", method: "GET" },
  { page: "docs/middleware/fastify.md", method: "POST" },
  { page: "docs/middleware/hono.md", method: "POST" },
];

type Send = () => Promise<Response>;

/** Five tries, and no sixth. */
async function expectFive(send: Send): Promise<void> {
  for (const left of [4, 3, 2, 1, 0]) {
    const response = await send();
    expect([response.status, await response.text()]).toEqual([
      200,
      `You have ${left} tries left.\n`,
    ]);
  }
  const refused = await send();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await refused.json()).toMatchObject({ status: 429, "violated-policies": ["login"] });
}

test.each(SERVERS)("$page", async ({ page, method }) => {
  await withServer(page, (url) => expectFive(() => fetch(`${url}/login`, { method })));
});

test("docs/middleware/fetch.md", async () => {
  const headers = { "x-user": "ada" };
  const login = () => new Request("http://shop.example/login", { method: "POST", headers });
  await withModule(
    "docs/middleware/fetch.md",
    ({ POST }: { POST: (of: Request) => Promise<Response> }) => expectFive(() => POST(login())),
  );
});

test("docs/testing/limits.md prints what it says", async () => {
  const page = "docs/testing/limits.md";
  const run = async (file: string) => execFileSync(process.execPath, [file], { encoding: "utf8" });
  expect(await withProgram(page, run)).toBe(`${fences(read(page), "text")[0]}\n`);
  // Traffic that moves is served at once.
  expect(await withProgram(page, run, 1)).toBe("0\n");
});
