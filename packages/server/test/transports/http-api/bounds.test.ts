/** How much clients can make the service hold. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { createServer, createService, type Defence } from "../../../src/index.ts";
import { connectTo, exchange, getText, postText, statusesOf } from "../../support/raw.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";
import { startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";

/** A client's connection, and the server's end of it. */
async function connection(
  server: Pick<TestServer, "url" | "app">,
): Promise<{ client: Socket; end: Socket }> {
  const accepted = once(server.app.server, "connection") as Promise<[Socket]>;
  const client = await connectTo(server);
  const [end] = await accepted;
  return { client, end };
}

describe("a client that never reads", () => {
  it("is cut", async () => {
    const told: Defence[] = [];
    const onDefence = (defence: Defence) => told.push(defence);
    const server = await serve(SHOP, { onDefence, bounds: { writeTimeout: 1_000 } });
    const { client, end } = await connection(server);
    client.pause();
    client.write(getText("/openapi.json").repeat(5_000));
    await once(end, "close");
    client.destroy();
    expect(told).toEqual(["reader-cut"]);
  });

  it("has at most one answer waiting for it, and is not read from", async () => {
    const server = await serve(SHOP);
    const { byteLength } = await (await fetch(`${server.url}/openapi.json`)).arrayBuffer();
    const { client, end } = await connection(server);
    client.pause();
    client.write(getText("/openapi.json").repeat(20_000));
    while (end.writableLength === 0) await new Promise<void>((turn) => setImmediate(turn));
    expect(end.writableLength).toBeLessThan(2 * byteLength);
    expect(end.isPaused()).toBe(true);
    expect(end.bytesRead).toBeGreaterThan(0);
    expect(end.bytesRead).toBeLessThan(2 ** 18);
    client.destroy();
  });
});

it("a connection is not read from while a request waits, not even for the body of another", async () => {
  const service = createService({ rules: rulesOf(SHOP) });
  const begun = Promise.withResolvers<void>();
  const never = () => {
    begun.resolve();
    return new Promise<never>(() => {});
  };
  const app = await createServer({ service: { ...service, limit: never } });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const { client, end } = await connection({ url, app });
  const body = { domain: "shop", descriptors: [descriptor("user=ann")] };
  client.write(postText("/v1/limit", body).repeat(40_000));
  await begun.promise;
  // In each of these turns, and more, another 64 KiB could be read.
  for (let turn = 0; turn < 50; turn++) await (await fetch(`${url}/healthcheck`)).text();
  expect(end.bytesRead).toBeLessThan(2 ** 18);
  // Nobody reads from it, so nobody would see that the client has gone.
  end.destroy();
  client.destroy();
  await app.close();
});

// With a second one V8 may allocate all lists of listeners in old space.
it("a response has one listener for each event", async () => {
  const server = await serve(SHOP);
  const counts: number[] = [];
  server.app.server.on("request", (_request, response: ServerResponse) => {
    for (const name of response.eventNames()) counts.push(response.listenerCount(name));
  });
  const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
  expect((await send(server, "/v1/limit", ann)).status).toBe(200);
  expect(counts).toContain(1);
  expect(Math.max(...counts)).toBe(1);
});

it("an idle connection holds nothing of the request that was answered", async () => {
  const service = createService({ rules: rulesOf(SHOP) });
  let request: WeakRef<object> | undefined;
  const check: typeof service.check = (asked) => {
    request = new WeakRef(asked);
    return service.check(asked);
  };
  const app = await createServer({ service: { ...service, check }, quiet: 0 });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const { client } = await connection({ url, app });
  client.write(postText("/v1/check", { domain: "shop", descriptors: [descriptor("user=ann")] }));
  await once(client, "data");
  expect(request).toBeDefined();
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const held = () => {
    collectGarbage();
    return request?.deref();
  };
  // What a weak reference was asked for lives until the turn ends.
  await until(() => held() === undefined, { what: "nothing holds the request" });
  client.destroy();
  await app.close();
});

it("a client that waits for its answer is not cut", async () => {
  const service = createService({ rules: rulesOf(SHOP) });
  const answer = Promise.withResolvers<boolean>();
  const isDegraded = () => {
    end.then((socket) => socket.setTimeout(20));
    return answer.promise;
  };
  const app = await createServer({ service: { ...service, isDegraded } });
  const end = new Promise<Socket>((resolve) => app.server.once("connection", resolve));
  app.server.on("timeout", () => answer.resolve(false));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  expect(await (await fetch(`${url}/healthcheck`)).text()).toBe("OK");
  await app.close();
});

it("cuts who pipelines when too many pipelined requests wait, and nobody else", async () => {
  const told: Defence[] = [];
  const onDefence = (defence: Defence) => told.push(defence);
  const server = await serve(SHOP, { onDefence, bounds: { maxPipelined: 100 } });
  const { client: patient } = await connection(server);
  const { client, end } = await connection(server);
  client.write(getText("/healthcheck").repeat(102));
  await once(end, "close");
  expect(told).toEqual(["pipeline-cut"]);
  const answer = text(patient);
  patient.write(getText("/healthcheck", { Connection: "close" }));
  expect(statusesOf(await answer)).toEqual([200]);
  // What waited is forgotten: there is room again.
  const requests = getText("/healthcheck").repeat(99);
  const last = getText("/healthcheck", { Connection: "close" });
  expect(statusesOf(await exchange(server, requests + last))).toHaveLength(100);
});

it("closes connections beyond the most, and says so", async () => {
  const told: Defence[] = [];
  const onDefence = (defence: Defence) => told.push(defence);
  const server = await serve(SHOP, { onDefence, bounds: { maxConnections: 2 } });
  const first = await connection(server);
  const second = await connection(server);
  const third = await connectTo(server);
  expect(await text(third)).toBe("");
  expect(told).toEqual(["connection-refused"]);
  first.client.destroy();
  await once(first.end, "close");
  const answer = text(second.client);
  second.client.write(getText("/healthcheck", { Connection: "close" }));
  expect(statusesOf(await answer)).toEqual([200]);
  expect(
    statusesOf(await exchange(server, getText("/healthcheck", { Connection: "close" }))),
  ).toEqual([200]);
});

it("closes a connection with the answer to the last of its requests, and handles no more", async () => {
  const server = await serve(SHOP, { bounds: { maxRequestsPerConnection: 3 } });
  const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
  const answer = await exchange(server, postText("/v1/limit", ann).repeat(5));
  expect(statusesOf(answer)).toEqual([200, 200, 200]);
  expect(answer.match(/connection: close/gi)).toHaveLength(1);
  const { body } = await send(server, "/v1/check", ann);
  expect(body).toMatchObject({ remaining: 1 });
});

it("takes the most connections from the command line", async () => {
  await using service = await startService({ rules: SHOP, args: ["--max-connections", "1"] });
  const first = await connectTo(service);
  expect(await text(await connectTo(service))).toBe("");
  await service.warns(/^\S+ spillway: connections closed on arrival, because --max-connections/m);
  first.destroy();
});

it("counts and logs connections to the port of metrics that are beyond its own bound", async () => {
  await using service = await startService({ rules: SHOP, args: ["--metrics-port", "0"] });
  const [, metrics = ""] = /Metrics on (\S+)\/metrics/.exec(service.said) ?? [];
  const place = { url: metrics };
  const open: Socket[] = [];
  for (let count = 0; count < 100; count++) open.push(await connectTo(place));
  expect(await text(await connectTo(place))).toBe("");
  for (const socket of open) socket.destroy();
  const page = await (await fetch(`${service.url}/metrics`)).text();
  const refused = 'spillway_defences_total{defence="metrics-connection-refused"}';
  expect(page).toContain(`${refused} 1\n`);
  await service.warns(/^\S+ spillway: connections to the metrics port closed on arrival/m);
});

describe("a request whose time goes by while it is not read, for others wait", () => {
  const whole = postText(
    "/v1/check",
    { domain: "shop", descriptors: [descriptor("user=ann")] },
    { Connection: "close" },
  );

  it.each([
    ["is answered when the rest of it has come", whole.slice(60), 200],
    ["is refused when it does not come after that either", "", 408],
  ])("%s", async (_, rest, status) => {
    const service = createService({ rules: rulesOf(SHOP) });
    const go = Promise.withResolvers<void>();
    const check: typeof service.check = async (asked) => {
      await go.promise;
      return service.check(asked);
    };
    const bounds = { requestTimeout: 200 };
    const app = await createServer({ service: { ...service, check }, bounds, quiet: 0 });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const { client } = await connection({ url, app });
    const answers = text(client);
    const late = once(app.server, "clientError");
    const first = whole.replace("Connection: close\r\n", "");
    client.write(first.repeat(2) + whole.slice(0, 60));
    await late;
    client.write(rest);
    go.resolve();
    expect(statusesOf(await answers)).toEqual([200, 200, status]);
    await app.close();
  });
});
