/** Limits of requests in flight, and what becomes of requests that end early. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { memoryStore } from "spillway";
import { manualClock } from "spillway/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createService } from "../../../src/index.ts";
import { HeldLeases } from "../../../src/transports/proxy/held-leases.ts";
import { connectTo, exchange, getText } from "../../support/raw.ts";
import { rulesOf } from "../../support/rules.ts";
import { proxyTo, RULES, rawUpstream, type TestProxy, upstreamOf } from "./scene.ts";

/** Clients that go: ten thousand with `npm run soak`. */
const ABORTED = 500 * Number(process.env.SPILLWAY_RUNS ?? 1);

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

const REPORTS = {
  domain: "shop",
  descriptors: [{ entries: [{ key: "generic_key", value: "reports" }] }],
};

async function unitsLeft({ service }: TestProxy): Promise<number | undefined> {
  const { values } = await service.value(REPORTS);
  return values[0]?.remaining;
}

describe("requests in flight", () => {
  it("hold a lease until their response has left", async () => {
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf((_, response) => void waiting.push(response));
    const scene = await proxyTo(to);
    const all = [1, 2, 3].map((id) => fetch(`${scene.url}/reports/${id}`));
    await until(() => waiting.length === 3);
    const refused = await fetch(`${scene.url}/reports/4`);
    expect(refused.status).toBe(429);
    // Before a lease has ended here, the wait is a second, not the hour after which leases expire.
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("ratelimit")).toContain("t=1");
    expect(await refused.text()).toContain("1 second");
    waiting[0]?.end("done");
    await Promise.race(all);
    await until(async () => (await unitsLeft(scene)) === 1);
    for (const response of waiting) response.end();
    for (const one of all) expect((await one).status).toBe(200);
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("leave no lease, and no request upstream, if their clients go", async () => {
    let arrived = 0;
    let gone = 0;
    const to = await upstreamOf((_, response) => {
      arrived++;
      response.once("close", () => gone++);
      if (arrived % 2 === 0) response.write("the first part");
    });
    const scene = await proxyTo(to);
    for (let id = 0; id < ABORTED; id++) {
      const before = arrived;
      const socket = await connectTo(scene);
      socket.write(getText(`/reports/${id}`));
      await until(() => arrived > before);
      socket.destroy();
      await until(() => gone === arrived);
    }
    expect(arrived).toBe(ABORTED);
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("leave no lease if their clients go before they are forwarded", async () => {
    const to = await upstreamOf((_, response) => response.end());
    const scene = await proxyTo(to);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => connectTo(scene)));
    for (const socket of sockets) {
      socket.write(getText("/reports/1"));
      socket.destroy();
    }
    await until(async () => (await unitsLeft(scene)) === 3);
    const response = await fetch(`${scene.url}/reports/1`);
    expect(response.status).toBe(200);
  });

  it("renew their lease for as long as a response lasts", async () => {
    const ttl = 100;
    const clock = manualClock();
    const store = memoryStore({ clock });
    const rules = rulesOf(RULES.replace("ttl: 1h", `ttl: ${ttl}ms`));
    const service = createService({ rules, store, clock });
    const renewed = vi.spyOn(service, "renew");
    const to = await upstreamOf((_, response) => {
      response.write("the first part");
      waiting = response;
    });
    let waiting: ServerResponse | undefined;
    const scene = await proxyTo(to, { service });
    const response = await fetch(`${scene.url}/reports/1`);
    for (let times = 0; times < 5; times++) {
      const before = renewed.mock.settledResults.length;
      clock.advance(ttl - 1);
      expect(await unitsLeft(scene)).toBe(2);
      await until(() => renewed.mock.settledResults.length > before + 1);
    }
    waiting?.end();
    await response.text();
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("leave no lease if there is no upstream", async () => {
    const scene = await proxyTo("http://127.0.0.1:1");
    for (let id = 0; id < 5; id++) {
      const response = await fetch(`${scene.url}/reports/${id}`, { method: "POST", body: "x" });
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ code: "upstream-failed", status: 502 });
    }
    expect(await unitsLeft(scene)).toBe(3);
    expect(scene.failures).toHaveLength(5);
  });
});

it("a lease that ends says how long it was held", async () => {
  const service = createService({ rules: rulesOf(RULES) });
  const ask = async () => service.limit({ ...REPORTS, estimates: true });
  const held = await Promise.all([ask(), ask(), ask()]);
  const lease = held[0]?.lease?.name ?? "";
  await service.release({ ...REPORTS, lease, heldFor: 60_000 });
  await ask();
  const { joint } = await ask();
  expect(joint).toMatchObject({ ok: false, estimatedRetryAfter: 20_000 });
  expect((await service.limit(REPORTS)).joint).not.toHaveProperty("estimatedRetryAfter", 20_000);
  const released = vi.spyOn(service, "release");
  const scene = await proxyTo(await upstreamOf((_, response) => response.end()), { service });
  await service.release({ ...REPORTS, lease: held[1]?.lease?.name ?? "" });
  await (await fetch(`${scene.url}/reports/1`)).text();
  await until(() => released.mock.calls.length === 2);
  expect(released.mock.calls[1]?.[0].heldFor).toBeGreaterThan(0);
});

describe("an upstream", () => {
  it("that breaks off in a body breaks off the response", async () => {
    const { url: to } = await rawUpstream((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", () => socket.destroy());
    });
    const scene = await proxyTo(to);
    const received = await exchange(scene, getText("/a"));
    expect(received).toContain("Content-Length: 10");
    expect(received.endsWith("hello")).toBe(true);
  });

  it("that closes is asked again for a GET, and not for a POST", async () => {
    let connections = 0;
    const { url: to } = await rawUpstream((_, socket) => {
      if (connections++ % 2 === 0) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    const scene = await proxyTo(to);
    expect((await fetch(`${scene.url}/a`)).status).toBe(200);
    expect(connections).toBe(2);
    expect((await fetch(`${scene.url}/a`, { method: "POST" })).status).toBe(502);
    expect(connections).toBe(3);
  });

  it("that is too slow is reported as that", async () => {
    const { url: to } = await rawUpstream(() => {});
    const times = { connect: 60_000, headers: 50, idle: 60_000 };
    const scene = await proxyTo(to, { times });
    const response = await fetch(`${scene.url}/a`, { method: "POST" });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ code: "upstream-late" });
  });

  it("that is full is not asked", async () => {
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf((_, response) => void waiting.push(response));
    const scene = await proxyTo(to, { connections: 1 });
    const first = fetch(`${scene.url}/a`);
    await until(() => waiting.length === 1);
    const second = await fetch(`${scene.url}/a`);
    expect(second.status).toBe(503);
    expect(second.headers.get("retry-after")).toBe("1");
    expect(await second.json()).toMatchObject({ code: "upstream-full" });
    waiting[0]?.end();
    expect((await first).status).toBe(200);
  });

  it("that has died is avoided, and the other one answers everything", async () => {
    let answered = 0;
    const alive = await upstreamOf((_, response) => response.end(String(answered++)));
    const scene = await proxyTo(["http://127.0.0.1:1", alive]);
    for (let id = 0; id < 20; id++) expect((await fetch(`${scene.url}/${id}`)).status).toBe(200);
    expect(answered).toBe(20);
  });

  it("with the fewest requests in flight gets the next one", async () => {
    const waiting: ServerResponse[] = [];
    const slow = await upstreamOf((_, response) => void waiting.push(response));
    let answered = 0;
    const quick = await upstreamOf((_, response) => response.end(String(answered++)));
    const scene = await proxyTo([slow, quick]);
    const held = fetch(`${scene.url}/held`);
    await until(() => waiting.length === 1);
    for (let id = 0; id < 5; id++) await (await fetch(`${scene.url}/${id}`)).text();
    expect(answered).toBe(5);
    waiting[0]?.end();
    await held;
  });

  it("that is the proxy itself is found out", async () => {
    const scene = await proxyTo("http://127.0.0.1:1");
    const port = new URL(scene.url).port;
    const looping = await proxyTo(scene.url);
    expect((await fetch(`${looping.url}/a`)).status).toBe(502);
    expect(port).not.toBe("0");
    const own = await proxyTo("http://127.0.0.1:1");
    const seen = await rawUpstream((_, socket) => {
      socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
    const plain = await proxyTo(seen.url);
    await fetch(`${plain.url}/a`);
    const via = /^Via: (.*)$/im.exec(seen.received[0] ?? "")?.[1] ?? "";
    const again = await fetch(`${plain.url}/a`, { headers: { via } });
    expect(again.status).toBe(508);
    expect((await fetch(`${own.url}/a`, { headers: { via } })).status).toBe(502);
  });
});

describe("a stop", () => {
  it("answers what is under way, and closes without a reset", async () => {
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf((_, response) => void waiting.push(response));
    const scene = await proxyTo(to);
    const socket = connect(Number(new URL(scene.url).port), "127.0.0.1");
    const errors: Error[] = [];
    let received = "";
    socket.on("error", (error) => errors.push(error));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write(getText("/reports/1"));
    await until(() => waiting.length === 1);
    const closed = scene.proxy.close();
    waiting[0]?.end("late");
    await once(socket, "end");
    socket.end();
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/^Connection: close\r$/im);
    expect(received.endsWith("late")).toBe(true);
    expect(errors).toEqual([]);
    expect(await unitsLeft(scene)).toBe(3);
  });

  it("waits for a lease that the store grants after the client has gone", async () => {
    const service = createService({ rules: rulesOf(RULES) });
    const limit = service.limit.bind(service);
    const release = service.release.bind(service);
    const order: string[] = [];
    let grant = () => {};
    const granted = new Promise<void>((resolve) => {
      grant = resolve;
    });
    vi.spyOn(service, "limit").mockImplementation(async (asked) => {
      const response = await limit(asked);
      order.push("asked");
      await granted;
      return response;
    });
    vi.spyOn(service, "release").mockImplementation(async (asked) => {
      const response = await release(asked);
      order.push("released");
      return response;
    });
    const closing = vi.spyOn(HeldLeases.prototype, "close");
    onTestFinished(() => closing.mockRestore());
    const stop = { quiet: 0, whole: 1, linger: 1 };
    const scene = await proxyTo("http://127.0.0.1:1", { service, stop });
    const socket = await connectTo(scene);
    socket.write(getText("/reports/1"));
    await until(() => order.length === 1);
    const closed = scene.proxy.close().then(() => order.push("closed"));
    await until(() => closing.mock.calls.length === 1);
    // Enough for a stop that does not wait.
    for (let turns = 0; turns < 100; turns++) await turn();
    grant();
    await closed;
    expect(order).toEqual(["asked", "released", "closed"]);
    expect(await unitsLeft(scene)).toBe(3);
  });
});

it("of a concurrency limit and a rate that refuse together, the longer wait is answered", async () => {
  const rules = rulesOf(`
domain: shop
descriptors:
  - key: path
    rate_limit: { unit: hour, requests_per_unit: 1 }
    descriptors: [{ key: user, rate_limit: { kind: concurrency, capacity: 1, ttl: 2h, also: parent } }]
`);
  const service = createService({ rules, clock: manualClock() });
  const path = { key: "path", value: "/a" };
  const entries = [path, { key: "user", value: "ann" }];
  const ask = async () =>
    service.limit({ domain: "shop", descriptors: [{ entries }], estimates: true });
  await ask();
  const { joint } = await ask();
  const rate = await service.check({ domain: "shop", descriptors: [{ entries: [path] }] });
  expect(joint?.retryAfter).toBe(7_200_000);
  expect(joint?.estimatedRetryAfter).toBe(rate.joint?.retryAfter);
  expect(joint?.estimatedRetryAfter).toBeGreaterThan(1000);
});
