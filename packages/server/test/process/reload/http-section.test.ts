/** An `http` section that changes while a real process serves it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { atEnd } from "../../support/at-end.ts";
import { Command } from "../../support/command.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const rulesFor = (path: string) => `domain: shop
http: [{ match: { path: ${path} }, actions: [{ method: {} }] }]
descriptors: [{ key: method, rate_limit: { unit: day, requests_per_unit: 0 } }]
`;

/** The status of a request for a path. */
async function statusOf(url: string, path: string): Promise<number> {
  const headers = {
    "X-Forwarded-Method": "GET",
    "X-Forwarded-Uri": path,
    "X-Forwarded-Host": "shop.example",
    "X-Forwarded-For": "192.0.2.1",
  };
  return (await fetch(`${url}/auth/caddy`, { headers })).status;
}

it("is used as a whole, and the log names it", async () => {
  const file = join(temporaryDirectory(), "rules.yaml");
  writeFileSync(file, rulesFor("/a"));
  const command = new Command(["serve", file, "--port", "0"]);
  atEnd(async () => {
    command.process.kill("SIGKILL");
    await command.ended();
  });
  const [, url = ""] = await command.says(/Listening on (\S+)\. Try/);
  expect([await statusOf(url, "/a"), await statusOf(url, "/b")]).toEqual([429, 200]);
  writeFileSync(file, rulesFor("/b"));
  await command.says(/the http section of shop has changed/);
  expect([await statusOf(url, "/a"), await statusOf(url, "/b")]).toEqual([200, 429]);
});

it("is the same in all workers, also after it has changed", async () => {
  const directory = temporaryDirectory();
  const file = join(directory, "rules.yaml");
  writeFileSync(file, rulesFor("/a"));
  const store = `sqlite:${join(directory, "limits.db")}`;
  const workers = ["--workers", "2", "--store", store, "--deadline", "30000"];
  const command = new Command(["serve", file, "--port", "0", ...workers]);
  atEnd(async () => {
    command.process.kill("SIGTERM");
    await command.ended();
  });
  const [, url = ""] = await command.says(/Listening on (\S+)\. Try/);
  // Each has a connection of its own, and so one worker and the other.
  const statuses = async (path: string) =>
    new Set(await Promise.all([1, 2, 3, 4].map(() => statusOf(url, path))));
  expect([await statuses("/a"), await statuses("/b")]).toEqual([new Set([429]), new Set([200])]);
  writeFileSync(file, rulesFor("/b"));
  await command.says(/the http section of shop has changed/);
  expect([await statuses("/a"), await statuses("/b")]).toEqual([new Set([200]), new Set([429])]);
});
