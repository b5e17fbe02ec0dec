import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, commands } from "./command.ts";
import { PortTaken } from "./port-taken.ts";
import { LOOPBACK } from "./ports.ts";
import { type RedisCluster, startCluster } from "./redis-cluster.ts";
import { type RedisNode, startRedis } from "./redis-node.ts";
import { startSentinel } from "./sentinel.ts";
import { until } from "./until.ts";

/** Milliseconds for what runs before tests: starting a cluster takes a busy machine its time. */
const SETUP = 60_000;

describe("a server", () => {
  test("answers, dies when killed, and comes back empty at the same port", async () => {
    await using node = await startRedis();
    expect(await command(node.port, "SET", "key", "välue\r\n")).toBe("OK");
    expect(await command(node.port, "GET", "key")).toBe("välue\r\n");
    const { pid } = node;
    await node.kill();
    expect(node).toMatchObject({ running: false, pid: undefined });
    await expect(command(node.port, "PING")).rejects.toThrow("ECONNREFUSED");
    await node.restart();
    expect(node.pid).not.toBe(pid);
    expect(await command(node.port, "GET", "key")).toBe(null);
  });

  test("keeps what was written, whatever kills it, where it persists", async () => {
    await using node = await startRedis({ persistence: true });
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await command(node.port, "INCR", "runs");
      await node.kill(signal);
      await node.restart();
    }
    expect(await command(node.port, "GET", "runs")).toBe("2");
  });

  test("finds in a directory what another left there", async () => {
    const directory = mkdtempSync(join(tmpdir(), "spillway-redis-"));
    try {
      const first = await startRedis({ directory, persistence: true });
      await command(first.port, "SET", "key", "kept");
      await first.stop();
      await using second = await startRedis({ directory, persistence: true });
      expect(await command(second.port, "GET", "key")).toBe("kept");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("leaves neither a process nor a directory", async () => {
    const node = await startRedis();
    await node.stop();
    await node.stop();
    expect(existsSync(node.directory)).toBe(false);
    expect(node.running).toBe(false);
    await expect(node.restart()).rejects.toThrow("was stopped");
  });

  test("dies with the process that started it, however that ends", async () => {
    const module = new URL("./redis-node.ts", import.meta.url).href;
    const script = `
      const { startRedis } = await import("${module}");
      const { port, directory } = await startRedis();
      console.log(JSON.stringify({ port, directory }));
      process.stdin.resume(); // there until it is killed, or this test ends
    `;
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [said] = await once(owner.stdout, "data");
    const { port, directory } = JSON.parse(String(said));
    expect(await command(port, "PING")).toBe("PONG");
    owner.kill("SIGKILL");
    await until(() => !existsSync(directory), { what: "the directory is gone" });
    await expect(command(port, "PING")).rejects.toThrow("ECONNREFUSED");
  });

  test("takes arguments, and tells what it thinks of wrong ones", async () => {
    await using node = await startRedis({ args: ["--requirepass", "secret"] });
    await expect(command(node.port, "GET", "key")).rejects.toThrow("NOAUTH");
    const asked = [
      ["AUTH", "secret"],
      ["CONFIG", "GET", "appendonly"],
    ];
    expect(await commands(node.port, asked)).toEqual(["OK", ["appendonly", "no"]]);
    await expect(startRedis({ args: ["--no-such-option", "1"] })).rejects.toThrow("no-such-option");
  });

  test("does not take another's port", async () => {
    await using node = await startRedis();
    await expect(startRedis({ port: node.port })).rejects.toThrow(PortTaken);
    expect(await command(node.port, "PING")).toBe("PONG");
  });
});

describe("a cluster", () => {
  const used = new AsyncDisposableStack();
  let cluster: RedisCluster;
  let slot: number;

  beforeAll(async () => {
    cluster = used.use(await startCluster());
    slot = await cluster.slotOf("{tag}");
  }, SETUP);

  afterAll(() => used.disposeAsync());

  const writeKeys = async (node: RedisNode) => {
    const keys = Array.from({ length: 250 }, (_, index) => `{tag}${index}`);
    await commands(
      node.port,
      keys.map((key) => ["SET", key, 1]),
    );
    return keys.length;
  };

  test("spreads its slots over its masters", async () => {
    const masters = await Promise.all([0, 8191, 16383].map((each) => cluster.masterOf(each)));
    expect(new Set(masters).size).toBe(3);
    for (const each of [0, 8191, 16383]) expect(await cluster.replicasOf(each)).toHaveLength(1);
    expect(cluster.urls).toHaveLength(6);
  });

  test("moves a slot and all its keys", async () => {
    const keys = await writeKeys(await cluster.masterOf(slot));
    const target = await cluster.moveSlot(slot);
    expect(await cluster.masterOf(slot)).toBe(target);
    expect(await command(target.port, "CLUSTER", "COUNTKEYSINSLOT", slot)).toBe(keys);
  });

  test("moves a slot in steps", async () => {
    const move = await cluster.beginMove(slot);
    const { source, target } = move;
    await writeKeys(source);
    await expect(command(source.port, "GET", "{tag}none")).rejects.toThrow(/^ASK /);
    await expect(command(target.port, "GET", "{tag}0")).rejects.toThrow(/^MOVED /);
    await move.moveKeys();
    await expect(command(source.port, "GET", "{tag}0")).rejects.toThrow(`ASK ${slot}`);
    expect(await commands(target.port, [["ASKING"], ["GET", "{tag}0"]])).toEqual(["OK", "1"]);
    expect(await cluster.masterOf(slot)).toBe(source);
    await expect(cluster.failover(slot)).rejects.toThrow(`Finish moving slot ${slot}`);
    await move.finish();
    expect(await command(target.port, "GET", "{tag}0")).toBe("1");
    await expect(command(source.port, "GET", "{tag}0")).rejects.toThrow(/^MOVED /);
  });

  test("lets a replica take over in agreement, with all keys", async () => {
    const before = await cluster.masterOf(slot);
    const keys = await writeKeys(before);
    const now = await cluster.gracefulFailover(slot);
    expect(now).not.toBe(before);
    expect(before.running).toBe(true);
    expect(await command(now.port, "CLUSTER", "COUNTKEYSINSLOT", slot)).toBe(keys);
    await expect(command(before.port, "SET", "{tag}0", 2)).rejects.toThrow(`:${now.port}`);
  });

  test("survives the death of a master, which comes back as a replica", async () => {
    const before = await cluster.masterOf(slot);
    const now = await cluster.failover(slot);
    expect(before.running).toBe(false);
    expect(await cluster.masterOf(slot)).toBe(now);
    expect(await command(now.port, "SET", "{tag}0", 3)).toBe("OK");
    await before.restart();
    await cluster.settled();
    expect(await cluster.replicasOf(slot)).toEqual([before]);
  });
});

describe("a sentinel group", () => {
  test.each([1, 3] as const)("with %i sentinels replaces a dead master", async (sentinels) => {
    await using group = await startSentinel({ sentinels });
    const before = await group.master();
    const now = await group.failover();
    expect(now).not.toBe(before);
    expect(await command(now.port, "SET", "key", 1)).toBe("OK");
    const [port = 0] = group.ports;
    const told = await command(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", group.name);
    expect(told).toEqual([LOOPBACK, `${now.port}`]);
  });
});
