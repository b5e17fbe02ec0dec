/** Who is measured: the service on each of its stores, and a server that decides nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migration } from "spillway/postgres";
import { query } from "../../packages/spillway/test/servers/postgres/query.ts";
import { startPostgres } from "../../packages/spillway/test/servers/postgres/start.ts";
import { startRedis } from "../../packages/spillway/test/servers/redis-node.ts";
import { Child } from "../child.ts";
import { ServiceProcess } from "./command.ts";
import type { Echo } from "./echo.ts";
import { bodyFor, RULES, urlAt } from "./question.ts";

/** A server that listens. */
export type Contender = { readonly name: string; readonly port: number };

type Means = { readonly resources: AsyncDisposableStack; readonly directory: string };

/** Starts all of them, and what they need; they end with the resources. */
export async function startAll(resources: AsyncDisposableStack): Promise<readonly Contender[]> {
  const directory = mkdtempSync(join(tmpdir(), "spillway-bench-"));
  resources.defer(() => rmSync(directory, { recursive: true }));
  const means = { resources, directory };
  const redis = resources.use(await startRedis());
  const postgres = resources.use(await startPostgres());
  await query(postgres, migration());
  const memory = await service("memory", "memory", means);
  return [
    memory,
    await service("redis", redis.url, means),
    await service("postgres", postgres.url, means),
    await service("sqlite", `sqlite:${join(directory, "limits.db")}`, means),
    await echo(memory, resources),
  ];
}

/** A store is waited for as long as it takes: a machine that is busy is not what is measured. */
async function service(
  name: string,
  store: string,
  { resources, directory }: Means,
): Promise<Contender> {
  const rules = join(directory, "rules.yaml");
  writeFileSync(rules, RULES);
  const args = [rules, "--store", store, "--deadline", "5000"];
  const { port } = resources.use(await ServiceProcess.start(args));
  return { name, port };
}

/** Answers what another contender answers to a request. */
async function echo({ port }: Contender, resources: AsyncDisposableStack): Promise<Contender> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(urlAt(port), { method: "POST", headers, body: bodyFor("anybody") });
  const settings: Echo = {
    body: await answer.text(),
    contentType: answer.headers.get("content-type") ?? "",
  };
  const child = new Child(new URL("./echo.ts", import.meta.url), [JSON.stringify(settings)]);
  resources.use(child);
  return { name: "bare Fastify echo", port: (await child.message()) as number };
}
