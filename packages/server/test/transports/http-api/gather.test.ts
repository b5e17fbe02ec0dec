import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { gather, type TurnGate } from "../../../src/transports/http-api/gather.ts";
import { DEFAULT_BOUNDS } from "../../../src/transports/http-api/node/bounds.ts";
import { nodeServer } from "../../../src/transports/http-api/node/server.ts";

let app: FastifyInstance;
let gate: TurnGate;
let happened: string[];

beforeEach(async () => {
  happened = [];
  const onDefence = () => {};
  app = fastify({
    forceCloseConnections: true,
    serverFactory: (handle) => nodeServer(handle, { bounds: DEFAULT_BOUNDS, onDefence }),
    clientErrorHandler: onDefence,
  });
  app.addHook("onRequest", async ({ url }) => void happened.push(`read ${url}`));
  gate = gather(app);
  app.get("/:name", async ({ url }) => {
    happened.push(`decided ${url}`);
    return "";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

async function connected(): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

function ask(socket: Socket, url: string): Promise<string> {
  socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

it("decides what came in one turn of the event loop when all of it was read", async () => {
  const sockets = [await connected(), await connected(), await connected()];
  await Promise.all(sockets.map((socket, number) => ask(socket, `/${number}`)));
  const words = happened.map((line) => line.split(" ")[0]);
  expect(words).toEqual(["read", "read", "read", "decided", "decided", "decided"]);
});

it("decides nothing while it is held", async () => {
  gate.hold();
  const socket = await connected();
  const held = ask(socket, "/held");
  await once(app.server, "request");
  // Another turn, in which it would have been decided.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(happened).toEqual(["read /held"]);
  gate.release();
  expect(await held).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(happened).toEqual(["read /held", "decided /held"]);
});

it("answers a client that has closed its side before its turn came", async () => {
  gate.hold();
  const accepted = once(app.server, "connection");
  const socket = await connected();
  const [peer] = await accepted;
  const closedItsSide = once(peer, "end");
  const answer = text(socket);
  socket.end("GET /once HTTP/1.1\r\nhost: x\r\n\r\n");
  await closedItsSide;
  gate.release();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
});
