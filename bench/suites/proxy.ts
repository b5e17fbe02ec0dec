/** Requests a second through `spillway proxy`, beside what proxies are made of, in one run. */
import { Pool } from "undici";
import { Child } from "../child.ts";
import { ProxyProcess } from "../proxy/process.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Suite } from "./suite.ts";

const ROUNDS = 7;
const REQUESTS = 8000;
const CONNECTIONS = 64;

const SERVER = new URL("../proxy/server.ts", import.meta.url);
type Speed = { readonly speed: number };

export const proxy: Suite = async (progress) => {
  await using servers = new AsyncDisposableStack();
  const start = async (...args: string[]) => {
    const child = servers.use(new Child(SERVER, args));
    return `http://127.0.0.1:${await child.message()}`;
  };
  const to = await start("upstream");
  const { url } = servers.use(await ProxyProcess.start(to));
  const contestants = [
    contestant("spillway proxy", url, servers),
    contestant("@fastify/reply-from", await start("reply-from", to), servers),
    contestant("bare node:http and undici", await start("bare", to), servers),
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
