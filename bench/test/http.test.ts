/** The servers of the HTTP suite do what they are measured for. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Framework } from "../http/framework.ts";
import { FRAMEWORKS } from "../http/frameworks/index.ts";
import { admitted, BODY, mostlyRefused, REFUSED, spent } from "../http/requests.ts";

/** Asks for a route three times in the name of a user. */
async function askThrice(start: Framework["bare"] | Framework["usual"], path: string) {
  const server = await start({});
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const answers: Response[] = [];
    for (let left = 3; left > 0; left--) {
      const headers = { "x-user": "ada" };
      answers.push(await fetch(`http://127.0.0.1:${port}${path}`, { headers }));
    }
    return answers;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status);
const hasLimits = ({ headers }: Response) =>
  [...headers.keys()].some((name) => /ratelimit/.test(name));

test.each(Object.entries(FRAMEWORKS))(
  "on %s, limiters admit and refuse as they should",
  async (_, { bare: unlimited, spillway, usual, likened }) => {
    const bare = await askThrice(unlimited, REFUSED);
    expect([statuses(bare), bare.some(hasLimits)]).toEqual([[200, 200, 200], false]);
    for (const [limiter, start] of Object.entries({ spillway, usual, ...likened })) {
      const passed = await askThrice(start, "/");
      expect([limiter, statuses(passed), passed.every(hasLimits)]).toEqual([
        limiter,
        [200, 200, 200],
        true,
      ]);
      expect(await passed[0]?.json()).toEqual(BODY);
      const refused = await askThrice(start, REFUSED);
      expect([limiter, statuses(refused)]).toEqual([limiter, [200, 429, 429]]);
      expect(refused[2]?.headers.has("retry-after")).toBe(true);
    }
  },
);

test("nine of ten requests are due to be refused, each for a key that has had its one", () => {
  const due = mostlyRefused.filter(({ status }) => status === 429).map(({ text }) => text);
  expect(due).toHaveLength(9000);
  expect(spent.map(({ text }) => text)).toEqual(due);
  expect(new Set(due).size).toBe(9000);
  expect(new Set(admitted.map(({ text }) => text)).size).toBe(10_000);
});
