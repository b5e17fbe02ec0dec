/** Limits of a program that follow the rules of a running service. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { rules, watchRules } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { Command } from "../../support/command.ts";
import { following, rename, ruleFile, rulesOf } from "./program-scene.ts";
import { HOSTS } from "./rule-hosts.ts";

const ADMIN = "sesame-sesame-sesame";
const STORE = "another-of-others";
const TOKENS = { SPILLWAY_ADMIN_TOKEN: ADMIN, SPILLWAY_STORE_TOKEN: STORE };
const token = STORE;

type Served = { readonly url: string; readonly file: string; readonly command: Command };

const commands: Command[] = [];
afterEach(async () => {
  for (const command of commands.splice(0)) await kill(command);
});

async function kill(command: Command): Promise<void> {
  command.process.kill("SIGKILL");
  await command.ended();
}

async function serving(file: string, args: readonly string[] = ["--port", "0"]): Promise<Served> {
  const command = new Command(["serve", file, ...args], TOKENS);
  commands.push(command);
  const [, url = ""] = await command.says(/Listening on (\S+)\. Try/);
  return { url, file, command };
}

/** Replaces the service's rules, without its file. */
async function post({ url }: Served, text: string): Promise<void> {
  const headers = { "content-type": "application/yaml", authorization: `Bearer ${ADMIN}` };
  const { status } = await fetch(`${url}/v1/rules`, { method: "POST", headers, body: text });
  expect(status).toBe(200);
}

/** Answers every request so, until the test ends. */
function answering(status: number, body: string): Promise<string> {
  return listening((_request, response) => {
    response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(body);
  });
}

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("watchRules on a service", () => {
  it("gives its limits, and follows what is posted, the same in all programs", async () => {
    const at = await serving(ruleFile(rulesOf({ search: 5 })));
    const programs = await Promise.all([
      following(at.url, { token }),
      following(new URL(at.url), { token: ADMIN }),
    ]);
    expect(programs.map(({ limiter }) => limiter.limit("search").capacity)).toEqual([5, 5]);
    await post(at, rulesOf({ search: 9, login: 1 }));
    for (const { changes, limiter, rules } of programs) {
      expect(await changes.next()).toMatchObject({ added: ["login"], changed: ["search"] });
      expect(limiter.limit("search").capacity).toBe(9);
      expect(rules.problem).toBeUndefined();
    }
    await post(at, rulesOf({ login: 1 }).replace("name: login", "name: login, mode: off"));
    for (const { changes, limiter } of programs) {
      expect(await changes.next()).toMatchObject({ changed: ["login"], removed: ["search"] });
      expect(limiter.modes).toEqual({ login: "off" });
    }
  });

  it("keeps the limits of wrong files as the service does, and says where they are", async () => {
    const at = await serving(ruleFile(rulesOf({ search: 5 })));
    const { rules, limiter, problems, changes } = await following(at.url, { token });
    rename(at.file, `${rulesOf({ search: 9 })}desriptors: []\n`);
    expect(await problems.next()).toContain(`${at.file}:5:1 unknown-field`);
    expect(limiter.limit("search").capacity).toBe(5);
    rename(at.file, rulesOf({ search: 7 }));
    await changes.next();
    expect([limiter.limit("search").capacity, rules.problem]).toEqual([7, undefined]);
  });

  it("keeps the limits where a program can't use the new ones, and takes those of a domain", async () => {
    const at = await serving(ruleFile(rulesOf({ search: 5 })));
    const { limiter, problems, changes } = await following(at.url, { token, domain: "shop" });
    await post(at, `${rulesOf({ search: 9 })}  - { key: a, rate_limit: { unlimited: true } }\n`);
    expect(await problems.next()).toContain(`${at.file}:5:5 not-for-programs found unlimited`);
    expect(limiter.limit("search").capacity).toBe(5);
    await post(at, rulesOf({ search: 9 }));
    await changes.next();
    await post(at, rulesOf({ search: 1 }, "market"));
    expect(await problems.next()).toContain("found no domain shop, expected one of market");
    expect(limiter.limit("search").capacity).toBe(9);
  });

  it("keeps the limits while the service is away, says so, and goes on with it", async () => {
    const at = await serving(ruleFile(rulesOf({ search: 5 })));
    const { rules, limiter, problems, changes } = await following(at.url, { token });
    await kill(at.command);
    expect(await problems.next()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/rules: /);
    expect(limiter.limit("search").capacity).toBe(5);
    rename(at.file, rulesOf({ search: 9 }));
    await serving(at.file, ["--port", new URL(at.url).port]);
    await changes.next();
    expect([limiter.limit("search").capacity, rules.problem]).toEqual([9, undefined]);
  });

  it("follows a service of several workers", async () => {
    const file = ruleFile(rulesOf({ search: 5 }));
    const store = `sqlite:${file}.db`;
    const at = await serving(file, ["--port", "0", "--workers", "2", "--store", store]);
    const { limiter, changes } = await following(at.url, { token });
    await at.command.says(/2 workers serve/);
    await post(at, rulesOf({ search: 9 }));
    await changes.next();
    expect(limiter.limit("search").capacity).toBe(9);
  });
});

describe("a source that gives no rules", () => {
  it("is refused with the reason, and the way out", async () => {
    const html = await answering(200, "<html>");
    await expect(watchRules(html)).rejects.toMatchObject({ code: "no-rules" });
    const other = await answering(200, "{}");
    await expect(watchRules(other)).rejects.toThrow("the answer has no rule files");
    const missing = await answering(404, "not here");
    await expect(watchRules(missing)).rejects.toThrow(
      "responded 404. Is this the URL of `spillway serve`?: not here",
    );
    await expect(watchRules(await answering(302, ""))).rejects.toThrow("responded 302");
    await expect(watchRules("http://127.0.0.1:1")).rejects.toMatchObject({ code: "no-rules" });
    await expect(watchRules(await listening(() => {}))).rejects.toThrow("no answer within 3000 ms");
    await expect(watchRules(html, { token: "" })).rejects.toThrow("SPILLWAY_STORE_TOKEN");
  });
});

describe("GET /v1/rules", () => {
  const get = ({ url }: Served, headers: Record<string, string>) =>
    fetch(`${url}/v1/rules`, { headers: { authorization: `Bearer ${STORE}`, ...headers } });

  it("sends nothing again to those who have it", async () => {
    const at = await serving(ruleFile(rulesOf({ search: 5 })));
    const first = await get(at, {});
    const version = first.headers.get("etag") as string;
    expect([first.status, version]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
    for (const known of [version, `W/${version}`, `"other", ${version}`]) {
      const again = await get(at, { "if-none-match": known });
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([
        304,
        version,
        "",
      ]);
    }
    await post(at, rulesOf({ search: 9 }));
    const other = await get(at, { "if-none-match": version });
    expect(other.status).toBe(200);
    expect(await other.json()).toMatchObject({ files: [{ text: rulesOf({ search: 9 }) }] });
  });

  it("needs the token of programs, or the admin's", async () => {
    const at = await serving(ruleFile(rulesOf({ search: 5 })));
    expect((await get(at, { authorization: "" })).status).toBe(401);
    expect((await get(at, { authorization: `Bearer ${ADMIN}` })).status).toBe(200);
    await expect(watchRules(at.url)).rejects.toThrow("Pass the service's SPILLWAY_STORE_TOKEN");
  });
});

describe("rules of a service", () => {
  const each = (units: number) => `
    domain: shop
    http: [{ actions: [{ remote_address: {} }] }]
    descriptors: [{ key: remote_address, rate_limit: { unit: year, requests_per_unit: ${units} } }]
  `;

  it("are the limits of a route, which follow what is posted", async () => {
    const at = await serving(ruleFile(each(2)));
    const limits = await rules(at.url, { token });
    atEnd(() => limits.close());
    const base = (await HOSTS["node:http"]?.(limits)) as string;
    const statuses = async (count: number) => {
      const found: number[] = [];
      while (found.length < count) found.push((await fetch(base)).status);
      return found;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    await post(at, each(3));
    while ((await statuses(1))[0] === 429) await new Promise(setImmediate);
    expect(await statuses(1)).toEqual([429]);
  });
});
