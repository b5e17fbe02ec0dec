/** What bodies that are begun and left can make the service hold, and whether others are answered meanwhile. */
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { type Defence, HeldBytes } from "../../../src/index.ts";
import { connectTo, exchange, postText, statusesOf } from "../../support/raw.ts";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

const KIB = 1024;
const MOST = 128 * KIB;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

async function served() {
  const held = new HeldBytes({ most: MOST });
  const told: Defence[] = [];
  const server = await serve(SHOP, { held, onDefence: (defence) => told.push(defence) });
  return { held, told, server };
}

const head = (fields: string) =>
  `POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
const LENGTH = head("Content-Length: 60000");
const CHUNKED = head("Transfer-Encoding: chunked");
const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;

/** Begins a body, and leaves it. */
async function begin(server: TestServer, start: string): Promise<Socket> {
  const socket = await connectTo(server);
  socket.write(start);
  return socket;
}

describe("bodies that are begun and left", () => {
  it.each([
    ["with a length", LENGTH + " ".repeat(30 * KIB)],
    ["in chunks", CHUNKED + chunk(" ".repeat(30 * KIB))],
  ])("(%s) hold so much together, and then the oldest is refused", async (_, start) => {
    const { held, told, server } = await served();
    const oldest = await begin(server, start);
    await until(async () => held.bytes > 0, { what: "the oldest is there" });
    const answer = text(oldest);
    const others = await Promise.all(Array.from({ length: 6 }, () => begin(server, start)));
    expect(await answer).toMatch(/^HTTP\/1.1 503 .*retry-after: 1\r\n.*too-many-unfinished/is);
    expect(held.bytes).toBeLessThanOrEqual(MOST);
    expect(new Set(told)).toEqual(new Set(["message-dropped"]));
    // Others are answered meanwhile: in one piece, and in several.
    expect((await send(server, "/v1/check", ann)).status).toBe(200);
    const whole = postText("/v1/check", ann, { Connection: "close" });
    const honest = await begin(server, whole.slice(0, -10));
    honest.write(whole.slice(-10));
    expect(statusesOf(await text(honest))).toEqual([200]);
    for (const socket of others) socket.destroy();
    await until(async () => held.bytes === 0, { what: "nothing is held" });
  });

  it("in chunks of a byte hold as much as their bytes do", async () => {
    const { held, server } = await served();
    const body = JSON.stringify(ann).padEnd(8 * KIB);
    const socket = await begin(server, CHUNKED + [...body].map(chunk).join(""));
    await until(async () => held.bytes >= 8 * KIB, { what: "it is there" });
    expect(held.bytes).toBeLessThanOrEqual(16 * KIB);
    const answer = text(socket);
    socket.end("0\r\n\r\n");
    expect(statusesOf(await answer)).toEqual([200]);
    expect(held.bytes).toBe(0);
  });

  it.each([
    ["/v1/limit", "application/json"],
    ["/v1/commands", "application/json"],
    ["/v1/log", "application/json"],
    ["/v1/rules", "application/yaml"],
    ["/json", "text/plain"],
  ])("are counted on %s", async (path, type) => {
    const held = new HeldBytes();
    const log = { level: "silent", keys: false } as const;
    const askRules = () => expect.unreachable("the body has no end");
    const server = await serve(SHOP, { held, log, askRules });
    const start = CHUNKED.replace("/v1/check", path).replace("application/json", type);
    const socket = await begin(server, start + chunk(" ".repeat(20 * KIB)));
    await until(async () => held.bytes >= 20 * KIB, { what: "it is held" });
    socket.destroy();
    await until(async () => held.bytes === 0, { what: "nothing is held" });
  });

  it("are not kept where a route has none", async () => {
    const { held, server } = await served();
    const start = `GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: x/y\r\n`;
    const body = chunk(" ".repeat(30 * KIB));
    const answer = exchange(server, `${start}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
    expect(statusesOf(await answer)).toEqual([200]);
    expect(held.bytes).toBe(0);
  });
});
