import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, commands } from "./command.ts";
import { type FaultyProxy, startProxy } from "./faulty-proxy.ts";
import { LOOPBACK } from "./ports.ts";
import { type RedisNode, startRedis } from "./redis-node.ts";
import { until } from "./until.ts";

/** Says lines, and hears whatever comes back. */
class Client {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  soFar = "";

  constructor(port: number) {
    this.#socket = connect({ port, host: LOOPBACK, noDelay: true });
    this.#socket.setEncoding("latin1").on("data", (chunk) => {
      this.soFar += chunk;
    });
    this.#socket.on("error", () => {});
    this.#closed = new Promise((resolve) => this.#socket.once("close", () => resolve()));
  }

  say(line: string): this {
    this.#socket.write(`${line}\r\n`);
    return this;
  }

  /** All that came until the connection was closed. */
  async heard(): Promise<string> {
    await this.#closed;
    return this.soFar;
  }
}

const connected = (proxy: FaultyProxy) =>
  until(() => proxy.connections > 0, { what: "the client is connected" });

describe("a proxy", () => {
  const used = new AsyncDisposableStack();
  let node: RedisNode;

  beforeAll(async () => {
    node = used.use(await startRedis());
  });

  afterAll(() => used.disposeAsync());

  test("passes everything on, in its order, however late", async () => {
    await using proxy = await startProxy(node.port);
    expect(await command(proxy.port, "PING")).toBe("PONG");
    proxy.delay(5);
    const long = "long".repeat(250_000);
    const exchange = commands(proxy.port, [
      ["SET", "key", long],
      ["GET", "key"],
    ]);
    await connected(proxy);
    proxy.delay(1);
    expect(await exchange).toEqual(["OK", long]);
  });

  test("is so late that nothing arrives before it is cut", async () => {
    await using proxy = await startProxy(node.port);
    proxy.delay(3_600_000);
    const late = new Client(proxy.port).say("SET late 1");
    await connected(proxy);
    expect(await command(node.port, "EXISTS", "late")).toBe(0);
    proxy.cut();
    expect(await late.heard()).toBe("");
    proxy.heal();
    expect(await command(proxy.port, "EXISTS", "late")).toBe(0);
  });

  test("loses the second half of an answer to a command that was carried out", async () => {
    await using proxy = await startProxy(node.port);
    const client = new Client(proxy.port).say("SET half 1");
    await until(() => client.soFar === "+OK\r\n", { what: "the first answer is there" });
    proxy.dropHalf();
    client.say("INCR half");
    await until(() => client.soFar === "+OK\r\n:2", { what: "half of the answer is there" });
    client.say("SET half 3");
    proxy.cut();
    expect(await client.heard()).toBe("+OK\r\n:2");
    proxy.heal();
    expect(await command(proxy.port, "GET", "half")).toBe("2");
  });

  test("lets script calls arrive twice, also once the connection is cut", async () => {
    await using proxy = await startProxy(node.port);
    proxy.repeat({ every: 3 });
    const call = ["EVAL", "return redis.call('INCR', 'twice')", 0];
    const others = ["SET", "once", 1];
    await commands(proxy.port, [call, others, call, others, call, call]);
    proxy.cut();
    await until(() => proxy.repeated === 1, { what: "a call is sent again" });
    const arrived = async () => (await command(node.port, "GET", "twice")) === "5";
    await until(arrived, { what: "the call has arrived again" });
    expect(proxy.repeated).toBe(1);
  });

  test("hangs, with old connections and new ones", async () => {
    await using proxy = await startProxy(node.port);
    const old = new Client(proxy.port).say("PING");
    await until(() => old.soFar === "+PONG\r\n", { what: "the first answer is there" });
    proxy.hang();
    old.say("SET hung 1");
    const young = new Client(proxy.port).say("SET hung 1");
    await until(() => proxy.connections === 2, { what: "both clients are connected" });
    proxy.heal();
    expect(await command(proxy.port, "EXISTS", "hung")).toBe(0);
    proxy.cut();
    expect([await old.heard(), await young.heard()]).toEqual(["+PONG\r\n", ""]);
  });

  test("refuses new connections, and lets old ones go on", async () => {
    await using proxy = await startProxy(node.port);
    const old = new Client(proxy.port).say("PING");
    await until(() => old.soFar === "+PONG\r\n", { what: "the first answer is there" });
    proxy.refuse(true);
    await expect(command(proxy.port, "PING")).rejects.toThrow();
    old.say("PING");
    await until(() => old.soFar === "+PONG\r\n+PONG\r\n", { what: "both answers are there" });
    proxy.refuse(false);
    expect(await command(proxy.port, "PING")).toBe("PONG");
  });

  test("closes a connection when its server dies", async () => {
    await using mortal = await startRedis();
    await using proxy = await startProxy(mortal.port);
    const client = new Client(proxy.port).say("PING");
    await until(() => client.soFar === "+PONG\r\n", { what: "the first answer is there" });
    await mortal.kill();
    expect(await client.heard()).toBe("+PONG\r\n");
    await mortal.restart();
    expect(await command(proxy.port, "PING")).toBe("PONG");
  });
});
