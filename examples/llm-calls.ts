/**
 * LLM calls from several processes: a limit in one SQLite file keeps all of them together below what the
 * provider allows. Should calls that were late arrive together all the same, what is refused is sent again.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import OpenAI from "openai";
import { RateLimiter } from "spillway";
import { limitedFetch } from "spillway/client";
import { limited } from "spillway/node";
import { sqliteStore } from "spillway/sqlite";

const ALLOWED = { kind: "token bucket", rate: 20, period: "1s", capacity: 5 } as const;

/** One process: ten calls at once, which wait for their turn. */
async function caller(baseURL: string, file: string): Promise<void> {
  const limiter = new RateLimiter({ calls: ALLOWED }, { store: sqliteStore(new Database(file)) });
  const own = { limiter, limit: "calls", key: "our account" } as const;
  // However often, in a program that has all night.
  const patient = { repeat: "refused", attempts: 100, budget: { least: 1000 } } as const;
  const api = limitedFetch(fetch, { ...own, ...patient });
  const openai = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0, fetch: api });
  const ask = () => openai.post("/chat/completions", { body: { model: "m", messages: [] } });
  await Promise.all(Array.from({ length: 10 }, ask));
}

export async function story(): Promise<string[]> {
  let answered = 0;
  // The provider's own limit.
  const theirs = new RateLimiter({ api: { ...ALLOWED, capacity: 8 } });
  const api = limited(theirs, { limit: "api", key: "account" }, (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  const server = createServer((request, response) => {
    response.once("finish", () => (answered += response.statusCode === 200 ? 1 : 0));
    api(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = await mkdtemp(join(tmpdir(), "spillway-"));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ["caller", url, join(folder, "limits.db")];
  const self = fileURLToPath(import.meta.url);
  const callers = [1, 2, 3].map(() => fork(self, args, { execArgv: [] }));
  await Promise.all(callers.map((process) => once(process, "exit")));
  server.close().closeAllConnections();
  await rm(folder, { recursive: true });
  return [`3 processes: ${answered} of 30 calls answered`];
}

if (process.argv[2] === "caller") await caller(process.argv[3] ?? "", process.argv[4] ?? "");
else if (import.meta.main) console.log((await story()).join("\n"));
