import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { startProxy } from "./faulty-proxy.ts";
import { listen } from "./ports.ts";
import { living } from "./postgres/processes.ts";
import { query, type Reachable, terminateAll } from "./postgres/query.ts";
import { smallDisk } from "./postgres/small-disk.ts";
import { obstacleToReplicas, replicaOf, startPostgres } from "./postgres/start.ts";
import { until } from "./until.ts";

/** A statement that nothing but the server's end, or an administrator, ends. */
const BUSY = "SELECT pg_sleep(3600)";

/** A connection that asks something which is never answered; and what it is told instead. */
async function busyClient({ url }: Reachable) {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const told: Promise<unknown> = client.query(BUSY).catch((error) => error);
  return { told };
}

async function untilBusy(server: Reachable): Promise<void> {
  const text = "SELECT FROM pg_stat_activity WHERE query = $1 AND state = 'active'";
  const isBusy = async () => (await query(server, text, [BUSY])).length > 0;
  await until(isBusy, { what: "a client's statement runs" });
}

/** All processes of a server's, but the one that has the others as children. */
async function childrenOf(server: Reachable): Promise<number[]> {
  const rows = await query<{ pid: number }>(server, "SELECT pid FROM pg_stat_activity");
  return rows.map(({ pid }) => pid);
}

describe("a PostgreSQL server", () => {
  test("answers, dies when killed, and comes back with its data at the same port", async () => {
    await using server = await startPostgres();
    await query(server, "CREATE TABLE runs (signal text)");
    for (const signal of ["SIGKILL", "SIGTERM", "SIGINT"] as const) {
      await query(server, "INSERT INTO runs VALUES ($1)", [signal]);
      const { pid } = server;
      await server.kill(signal);
      expect(server).toMatchObject({ running: false, pid: undefined });
      await expect(query(server, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
      await server.restart();
      expect(server.pid).not.toBe(pid);
    }
    expect(await query(server, "SELECT count(*)::int FROM runs")).toEqual([{ count: 3 }]);
  });

  test("takes all its processes with it when killed, busy ones too", async () => {
    await using server = await startPostgres();
    const { told } = await busyClient(server);
    await untilBusy(server);
    const children = await childrenOf(server);
    await server.kill();
    expect(living(children)).toEqual([]);
    expect(await told).toMatchObject({ message: expect.stringContaining("terminated") });
    await server.restart();
    expect(await query(server, BUSY.replace("3600", "0"))).toHaveLength(1);
  });

  test("comes back although its port is taken for a moment", async () => {
    await using server = await startPostgres();
    await server.kill();
    const other = createServer((socket) => socket.destroy());
    await listen(other, server.port);
    const restarted = server.restart();
    await until(() => server.log.includes("Address already in use"), { what: "it finds it taken" });
    other.close();
    await restarted;
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("leaves neither a process nor a directory", async () => {
    const server = await startPostgres();
    const children = await childrenOf(server);
    await server.stop();
    await server.stop();
    expect(existsSync(server.directory)).toBe(false);
    expect(server.running).toBe(false);
    expect(living(children)).toEqual([]);
    await expect(server.restart()).rejects.toThrow("was stopped");
  });

  test("dies with the process that started it, however that ends", async () => {
    const module = new URL("./postgres/start.ts", import.meta.url).href;
    const script = `
      const { startPostgres } = await import("${module}");
      const { pid, url, directory } = await startPostgres();
      console.log(JSON.stringify({ pid, url, directory }));
      process.stdin.resume(); // there until it is killed, or this test ends
    `;
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [said] = await once(owner.stdout, "data");
    const { pid, url, directory } = JSON.parse(String(said));
    await busyClient({ url });
    await untilBusy({ url });
    const pids = [pid, ...(await childrenOf({ url }))];
    owner.kill("SIGKILL");
    await until(() => living(pids).length === 0, { what: "its processes are gone" });
    await until(() => !existsSync(directory), { what: "the directory is gone" });
  });

  test("takes settings, and tells what it thinks of wrong ones", async () => {
    await using server = await startPostgres({ settings: { max_connections: 7 } });
    expect(await query(server, "SHOW max_connections")).toEqual([{ max_connections: "7" }]);
    const settings = { no_such_setting: 1 };
    await expect(startPostgres({ settings })).rejects.toThrow("no_such_setting");
  });

  test("lets others be thrown out", async () => {
    await using server = await startPostgres();
    const { told } = await busyClient(server);
    await untilBusy(server);
    expect(await terminateAll(server)).toBe(1);
    expect(await told).toMatchObject({ code: "57P01" });
  });

  test("is reached by way of a proxy, until that cuts the connection", async () => {
    await using server = await startPostgres();
    await using proxy = await startProxy(server.port);
    const { told } = await busyClient({ url: server.urlAt(proxy.port) });
    await untilBusy(server);
    proxy.cut();
    expect(await told).toBeInstanceOf(Error);
  });

  test("has a replica that follows it, and refuses to write", async ({ skip }) => {
    const obstacle = await obstacleToReplicas();
    if (obstacle !== undefined) return skip(obstacle);
    await using server = await startPostgres();
    await query(server, "CREATE TABLE notes (text text)");
    await using replica = await replicaOf(server);
    await query(server, "INSERT INTO notes VALUES ('written later')");
    const isThere = async () => (await query(replica, "SELECT FROM notes")).length > 0;
    await until(isThere, { what: "it is on the replica" });
    await expect(query(replica, "DELETE FROM notes")).rejects.toMatchObject({ code: "25006" });
  });

  test("refuses to write to a disk that is full, until it no longer is", async ({ skip }) => {
    await using server = await startPostgres();
    const mounted = await smallDisk(server);
    if ("obstacle" in mounted) return skip(mounted.obstacle);
    await using disk = mounted;
    await query(server, `CREATE TABLE numbers (number int) TABLESPACE ${disk.tablespace}`);
    const many = "INSERT INTO numbers SELECT generate_series(1, 1000)";
    await query(server, many);
    await disk.fill();
    await expect(query(server, many)).rejects.toMatchObject({ code: "53100" });
    await disk.empty();
    await query(server, many);
    expect(await query(server, "SELECT count(*)::int FROM numbers")).toEqual([{ count: 2000 }]);
  });
});
