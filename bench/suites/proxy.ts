/** Requests a second through `spillway proxy`, beside the library that proxies use, in one run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { Child } from "../child.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Suite } from "./suite.ts";

const ROUNDS = 7;
const REQUESTS = 8000;
const CONNECTIONS = 64;

const RULES = `
domain: bench
http:
  - actions: [{ remote_address: {} }]
descriptors:
  - { key: remote_address, rate_limit: { unit: second, requests_per_unit: 1000000 } }
`;

const SERVER = new URL("../proxy/server.ts", import.meta.url);
const BIN = fileURLToPath(new URL("../../packages/server/bin/spillway.js", import.meta.url));

type Speed = { readonly speed: number };

export const proxy: Suite = async (progress) => {
  await using servers = new AsyncDisposableStack();
  const start = async (...args: string[]) => {
    const child = servers.use(new Child(SERVER, args));
    return `http://127.0.0.1:${await child.message()}`;
  };
  const to = await start("upstream");
  const bare = await start("reply-from", to);
  const ours = await startProxy(to, servers);
  const contestants = [
    contestant("spillway proxy", ours, servers),
    contestant("@fastify/reply-from", bare, servers),
    contestant("no proxy", to, servers),
  ];
  const title = "through a proxy, requests a second";
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return [groupOf("through a proxy", measured, { figure: "speed", unit: "requests a second" })];
};

function contestant(name: string, url: string, servers: AsyncDisposableStack): Contestant<Speed> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  servers.defer(() => pool.destroy());
  return { name, measure: async () => ({ speed: await measure(pool) }) };
}

/** Keeps all connections busy until all requests are answered. */
async function measure(pool: Pool): Promise<number> {
  let left = REQUESTS;
  const client = async () => {
    while (left-- > 0) {
      const { statusCode, body } = await pool.request({ path: "/a/path?query=1", method: "GET" });
      await body.dump();
      if (statusCode !== 200) throw new Error(`found the status ${statusCode}`);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return REQUESTS / ((performance.now() - begun) / 1000);
}

async function startProxy(to: string, servers: AsyncDisposableStack): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "spillway-bench-"));
  servers.defer(() => rmSync(directory, { recursive: true }));
  const rules = join(directory, "rules.yaml");
  writeFileSync(rules, RULES);
  const child = spawn(process.execPath, [BIN, "proxy", rules, "--to", to, "--port", "0"]);
  servers.defer(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  for (;;) {
    const url = /Listening on (\S+)\. /.exec(said)?.[1];
    if (url !== undefined) return url;
    await once(child.stdout, "data");
  }
}
