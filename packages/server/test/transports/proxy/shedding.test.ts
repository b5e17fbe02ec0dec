/** Which requests the proxy forwards while the servers behind are overloaded. */
import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import {
  type AdaptiveShedderOptions,
  adaptiveShedder,
  type CapSample,
  type ShedderEvent,
} from "spillway/shedding";
import { afterDelay, afterTurn, alarm } from "spillway/support";
import { describe, expect, it } from "vitest";
import { routeMatch } from "../../../src/rules/index.ts";
import type { PriorityRoute, ProxyShedding } from "../../../src/transports/proxy/index.ts";
import { connectTo, exchange, getText } from "../../support/raw.ts";
import { proxyTo, rawUpstream, type TestProxy, upstreamOf } from "./scene.ts";

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

const route = (priority: PriorityRoute["priority"], line: string): PriorityRoute => {
  const match = routeMatch(line);
  if (match === undefined) throw new Error(`no route: ${line}`);
  return { priority, match };
};

const PRIORITIES = [
  route("critical", "POST,PUT /login"),
  route("critical", "/critical/*"),
  route("low", "/users/{id}"),
  route("background", "/background/*"),
];

/** A shedder with room for a fixed number. Its time stands still, so nothing lasts or waits for long. */
function patient(options: AdaptiveShedderOptions) {
  const streams = { count: 0 };
  const events: ShedderEvent[] = [];
  const onEvent = (event: ShedderEvent) => events.push(event);
  const time = { now: 0 };
  const scheduler = { elapsed: () => time.now, afterDelay, alarm, afterTurn };
  const shedder = adaptiveShedder({ scheduler, onEvent, ...options });
  const shedding: ProxyShedding = {
    shedder,
    priorities: PRIORITIES,
    deadlineHeader: "x-wait-ms",
    streams,
  };
  const causes = () => events.flatMap((event) => (event.type === "shed" ? [event.cause] : []));
  return { shedder, shedding, causes, time };
}

/** An upstream that answers when it is told to. */
async function heldUpstream() {
  const paths: string[] = [];
  const waiting: ServerResponse[] = [];
  const to = await upstreamOf(({ url = "" }, response) => {
    paths.push(url);
    waiting.push(response);
  });
  return { to, paths, waiting, next: () => waiting.shift()?.end("done") };
}

/** Sends requests one after the other, each once the one before has its place. */
async function sent({ url }: TestProxy, paths: readonly string[], isPlaced: () => number) {
  const all: Promise<Response>[] = [];
  for (const path of paths) {
    const before = isPlaced();
    all.push(fetch(url + path));
    await until(() => isPlaced() > before);
  }
  return all;
}

const statusesOf = async (all: readonly Promise<Response>[]) =>
  (await Promise.all(all)).map(({ status }) => status);

const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket";

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, id) => `/${name}/${id}`);

describe("an overload", () => {
  it("refuses the least important requests first, and answers every one", async () => {
    const upstream = await heldUpstream();
    const { shedder, shedding } = patient({ cap: 2, maxWaiting: 10 });
    const scene = await proxyTo(upstream.to, { shedding });
    const placed = () => {
      const { inFlight, waiting, shed } = shedder.stats();
      return inFlight + waiting + shed.background + shed.low + shed.normal + shed.critical;
    };
    const send = (paths: readonly string[]) => sent(scene, paths, placed);
    const first = await send(numbered("first", 2));
    const background = await send(numbered("background", 10));
    const low = await send(numbered("users", 10));
    const normal = await send(numbered("normal", 7));
    const critical = await send(numbered("critical", 5));
    expect(await statusesOf(background)).toEqual(Array(10).fill(503));
    await until(() => {
      upstream.next();
      const { inFlight, waiting } = shedder.stats();
      return inFlight + waiting === 0;
    });
    expect(await statusesOf([...first, ...critical])).toEqual(Array(7).fill(200));
    const statuses = await statusesOf(normal);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(await statusesOf(low)).toEqual(Array(10).fill(503));
    // Those that waited were forwarded by importance.
    expect(upstream.paths.slice(2).map((path) => path.split("/")[1])).toEqual([
      ...Array(5).fill("critical"),
      ...Array(5).fill("normal"),
    ]);
    expect(shedder.stats()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it("is answered as the middleware answers it, and takes no unit", async () => {
    const upstream = await heldUpstream();
    const { shedder, shedding, time } = patient({ cap: 1 });
    const scene = await proxyTo(upstream.to, { shedding });
    const first = fetch(`${scene.url}/reports/1`);
    await until(() => upstream.waiting.length === 1);
    const headers = { "x-wait-ms": "1", origin: "https://page.example" };
    for (let times = 0; times < 3; times++) {
      const asked = fetch(`${scene.url}/login`, { headers });
      await until(() => shedder.stats().waiting === 1);
      time.now += 1;
      const refused = await asked;
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.headers.get("ratelimit")).toBeNull();
      expect(refused.headers.get("cache-control")).toBe("no-store");
      expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
      expect(await refused.json()).toMatchObject({
        type: "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",
        status: 503,
      });
    }
    upstream.next();
    expect((await first).status).toBe(200);
    await until(() => shedder.stats().inFlight === 0);
    // Two logins a minute: none was taken.
    const login = fetch(`${scene.url}/login`);
    await until(() => upstream.waiting.length === 1);
    upstream.next();
    expect((await login).headers.get("ratelimit")).toContain("r=1");
    expect(upstream.paths).toEqual(["/reports/1", "/login"]);
  });

  it("in shadow refuses nothing, and counts", async () => {
    const upstream = await heldUpstream();
    const { shedding, causes } = patient({ cap: 1, shadow: true });
    const scene = await proxyTo(upstream.to, { shedding });
    const headers = { "x-wait-ms": "0" };
    const late = fetch(`${scene.url}/background/1`, { headers });
    await until(() => upstream.waiting.length === 1);
    expect(causes()).toEqual(["late"]);
    upstream.next();
    expect((await late).status).toBe(200);
  });

  it("does not keep a stop from answering what waits", async () => {
    const upstream = await heldUpstream();
    const { shedder, shedding } = patient({ cap: 1 });
    const scene = await proxyTo(upstream.to, { shedding });
    const all = await sent(scene, ["/a", "/b"], () => {
      const { inFlight, waiting } = shedder.stats();
      return inFlight + waiting;
    });
    await until(() => upstream.waiting.length === 1);
    const closed = scene.proxy.close();
    upstream.next();
    await until(() => upstream.waiting.length === 1);
    upstream.next();
    expect(await statusesOf(all)).toEqual([200, 200]);
    await closed;
  });
});

describe("the deadline of a client", () => {
  it("that has passed is refused at once, even if there is room", async () => {
    const upstream = await heldUpstream();
    const { shedding, causes } = patient({ cap: 10 });
    const { url } = await proxyTo(upstream.to, { shedding });
    const refused = await fetch(`${url}/a`, { headers: { "x-wait-ms": "0" } });
    expect(refused.status).toBe(503);
    expect(causes()).toEqual(["late"]);
    expect(upstream.paths).toEqual([]);
  });

  it.each(["", "-1", "0x0", "0.0", "1e1", "soon", "9999999999"])(
    "that is no number of milliseconds is not believed: %j",
    async (wait) => {
      const to = await upstreamOf((_, response) => void response.end());
      const { shedding } = patient({ cap: 1 });
      const { url } = await proxyTo(to, { shedding });
      expect((await fetch(`${url}/a`, { headers: { "x-wait-ms": wait } })).status).toBe(200);
    },
  );

  it("is refused if it is repeated", async () => {
    const to = await upstreamOf((_, response) => void response.end());
    const { shedding } = patient({ cap: 1 });
    const scene = await proxyTo(to, { shedding });
    const request = getText("/a", { "x-wait-ms": "5\r\nX-Wait-Ms: 0" });
    expect(await exchange(scene, request)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("the priority of a request", () => {
  it("is that of the first route that matches, by any spelling, else normal", async () => {
    const to = await upstreamOf((_, response) => void response.end());
    const { shedder, shedding } = patient({ cap: 1 });
    const { url } = await proxyTo(to, { shedding });
    for (const path of ["/critical", "/CRITICAL/a/b", "/x/../%63ritical/"]) await fetch(url + path);
    await fetch(`${url}/login`, { method: "POST" });
    expect(shedder.stats().admitted).toMatchObject({ critical: 4, normal: 0 });
    for (const path of ["/login", "/criticals", "/users/7/x"]) await fetch(url + path);
    expect(shedder.stats().admitted).toMatchObject({ critical: 4, normal: 3 });
    for (const path of ["/users/7", "/background/a"]) await fetch(url + path);
    expect(shedder.stats().admitted).toMatchObject({ low: 1, background: 1 });
  });
});

describe("what is in flight", () => {
  it("ends with a refusal by a limit, and with an upstream that fails", async () => {
    const { shedder, shedding } = patient({ cap: 1 });
    const { url } = await proxyTo("http://127.0.0.1:1", { shedding });
    for (const status of [502, 502, 429, 429]) {
      expect((await fetch(`${url}/login`)).status).toBe(status);
    }
    await until(() => shedder.stats().inFlight === 0);
  });

  it("ends with a request that the rules can't read", async () => {
    const to = await upstreamOf((_, response) => void response.end());
    const { shedder, shedding } = patient({ cap: 1 });
    const scene = await proxyTo(to, { shedding, domain: "gone" });
    for (let times = 0; times < 3; times++) expect((await fetch(scene.url)).status).toBe(503);
    await until(() => shedder.stats().inFlight === 0);
    expect(shedder.stats().admitted.normal).toBe(3);
  });

  it("shows by its time how the servers are doing, unless it fails", async () => {
    const samples: CapSample[] = [];
    const cap = { cap: 10, learn: (one: CapSample) => samples.push(one), backOff: () => {} };
    const { shedder, shedding } = patient({ cap });
    const to = await upstreamOf(({ url = "" }, response) => {
      response.writeHead(Number(url.slice(1))).end();
    });
    const { url } = await proxyTo(to, { shedding });
    for (const status of [500, 503]) await (await fetch(`${url}/${status}`)).text();
    await until(() => shedder.stats().inFlight === 0);
    expect(samples).toHaveLength(0);
    for (const status of [200, 304, 404]) await (await fetch(`${url}/${status}`)).text();
    await until(() => shedder.stats().inFlight === 0);
    expect(samples).toHaveLength(3);
  });

  it("is not a stream of events, which lasts as long as its client stays", async () => {
    const to = await upstreamOf((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
    });
    const { shedder, shedding } = patient({ cap: 1 });
    const { url } = await proxyTo(to, { shedding });
    const abort = new AbortController();
    for (let id = 0; id < 3; id++) {
      const response = await fetch(`${url}/events/${id}`, { signal: abort.signal });
      expect(response.status).toBe(200);
      expect(shedder.stats().inFlight).toBe(0);
    }
    abort.abort();
  });

  it("is not a WebSocket once it is open, and one waits its turn like other requests", async () => {
    const { url: to } = await rawUpstream((_, socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n\r\n`);
    });
    const { shedder, shedding } = patient({ cap: 1 });
    const scene = await proxyTo(to, { shedding });
    const fields = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Key": "x" };
    for (let id = 0; id < 2; id++) {
      const socket = await connectTo(scene);
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
      });
      socket.write(getText("/socket", fields));
      await until(() => received.startsWith("HTTP/1.1 101 "));
      expect(shedder.stats().inFlight).toBe(0);
    }
    const late = { ...fields, "x-wait-ms": "0" };
    expect(await exchange(scene, getText("/socket", late))).toMatch(/^HTTP\/1\.1 503 /);
  });

  it("is not forwarded if its client goes while it waits", async () => {
    const upstream = await heldUpstream();
    const { shedder, shedding, causes } = patient({ cap: 1 });
    const scene = await proxyTo(upstream.to, { shedding });
    const first = fetch(`${scene.url}/first`);
    await until(() => upstream.waiting.length === 1);
    for (let id = 0; id < 50; id++) {
      const socket = await connectTo(scene);
      socket.write(getText("/reports/1"));
      await until(() => shedder.stats().waiting === 1);
      socket.destroy();
      await until(() => shedder.stats().waiting === 0);
    }
    upstream.next();
    expect((await first).status).toBe(200);
    await until(() => shedder.stats().inFlight === 0);
    expect(upstream.paths).toEqual(["/first"]);
    expect(causes()).toEqual(Array(50).fill("withdrawn"));
  });
});
