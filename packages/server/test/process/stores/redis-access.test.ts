import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../../../spillway/test/servers/command.ts";
import { type RedisNode, startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { createService } from "../../../src/index.ts";
import { readRedisUrl } from "../../../src/process/places/redis-url.ts";
import { toStorePlace } from "../../../src/process/places/store-location.ts";
import { openStore } from "../../../src/process/stores/open-store.ts";
import { RedisConnection } from "../../../src/process/stores/redis-connection.ts";
import { Command } from "../../support/command.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

// Processes are slow to start on a busy machine.

const SECRET = "s3:cr/t@?";

/** Opens a store, asks it once, and tells what came of it. A busy machine needs a long deadline. */
async function visit(url: string, deadline = 50) {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const settings = { instances: 1, schema: "", sentinels: {}, maxKeys: 1 };
  const options = { ...settings, deadline, warn };
  const { store, where, close } = await openStore(toStorePlace(url), options);
  const service = createService({ rules: rulesOf(SHOP), store });
  const { joint } = await service.limit({ domain: "shop", descriptors: [descriptor("user=ann")] });
  close();
  return { where, warnings, reason: joint?.reason };
}

describe("a Redis with a password", () => {
  let redis: RedisNode;
  let at: string;
  beforeAll(async () => {
    redis = await startRedis({ args: ["--requirepass", SECRET] });
    at = `127.0.0.1:${redis.port}`;
  });
  afterAll(() => redis.stop());

  it("is asked with it, in the database that the URL names", async () => {
    const url = `redis://default:${encodeURIComponent(SECRET)}@${at}/3`;
    const { where, warnings } = await visit(url, 30_000);
    expect(where).toBe(`redis://${at}/3`);
    expect(warnings).toEqual([]);
    const look = [["AUTH", SECRET], ["SELECT", 3], ["DBSIZE"]];
    expect((await commands(redis.port, look)).at(-1)).toBe(1);
  });

  it.each([
    ["redis://:wr0ng@", "WRONGPASS"],
    ["redis://", "NOAUTH"],
    ["redis+cluster://:wr0ng@", "WRONGPASS"],
  ])("lets nobody in without it, and that is told: %s", async (start, code) => {
    const { warnings, reason } = await visit(start + at);
    expect(reason).toBe("unavailable");
    expect(warnings[0]).toContain(`${start.replace(/:[^/]*@/, "")}${at} can't be reached: ${code}`);
    expect(warnings.join()).not.toContain("wr0ng");
  });

  it("is not asked in another database where there is none of that number", async () => {
    const { warnings, reason } = await visit(`redis://:${encodeURIComponent(SECRET)}@${at}/99`);
    expect(reason).toBe("unavailable");
    expect(warnings[0]).toContain("can't be reached: ERR DB index is out of range");
    const look = [["AUTH", SECRET], ["DBSIZE"]];
    expect((await commands(redis.port, look)).at(-1)).toBe(0);
  });
});

describe("a connection", () => {
  it("that its client has given up is made again, until it is closed", async () => {
    await using redis = await startRedis();
    const connection = new RedisConnection(readRedisUrl(redis.url), {});
    await connection.attempted();
    expect(connection.trouble).toBe(undefined);
    connection.client.disconnect();
    await once(connection.client, "end");
    expect(connection.trouble).toBe("not connected");
    await until(() => connection.trouble === undefined, { what: "it is connected again" });
    connection.close();
  });
});

describe("a store over TLS", () => {
  it.each(["rediss://$", "rediss+cluster://$", "rediss+sentinel://$/master"])(
    "begins with a handshake: %s",
    async (url) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const visiting = visit(url.replace("$", `127.0.0.1:${port}`));
      const [socket] = (await once(server, "connection")) as [Socket];
      const [hello] = (await once(socket, "data")) as [Buffer];
      expect(hello[0]).toBe(HANDSHAKE);
      socket.destroy();
      server.on("connection", (later: Socket) => later.destroy());
      expect((await visiting).reason).toBe("unavailable");
      server.close();
    },
  );
});

/** The type of a TLS record with which every connection begins. */
const HANDSHAKE = 22;

describe("spillway serve, where it can't", () => {
  const rules = fileURLToPath(new URL("../../../../../examples/rules.yaml", import.meta.url));

  it.each([
    [["--store", "redis:s3cret@one"], {}],
    [[], { SPILLWAY_STORE: "redis:s3cret@one" }],
  ])("says that the store is none, and no password: %j %j", async (args, env) => {
    const command = new Command(["serve", rules, ...args], env);
    expect(await command.ended()).toBe(1);
    expect(command.stdout).toBe("");
    expect(command.stderr).toMatch(
      /^bad-store --store, or SPILLWAY_STORE, is "\*{3}@one", expected redis:[^\n]*\n$/,
    );
  });

  it.each([
    [["--when-unavailable", "maybe"], "Expected one of closed, open, local, error"],
    [["--instances", "0"], "Expected a whole number from 1 to 10000"],
    [["--deadline", "soon"], "Expected a whole number from 1 to 60000"],
  ])("says so: %j", async (args, message) => {
    const command = new Command(["serve", rules, ...args]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toContain(message);
  });

  it("lets go of its store", async () => {
    await using redis = await startRedis();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const args = ["serve", rules, "--store", redis.url, "--port", String(port)];
    const command = new Command(args);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/^port-in-use /);
    other.close();
  });
});
