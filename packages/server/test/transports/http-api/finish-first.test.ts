import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createRawServer,
  type Server,
  type Socket,
} from "node:net";
import { text } from "node:stream/consumers";
import fastify from "fastify";
import { expect, it } from "vitest";
import { finishFirst, GracefulStop } from "../../../src/transports/http-api/finish-first.ts";
import { gather } from "../../../src/transports/http-api/gather.ts";
import { problemSender } from "../../../src/transports/http-api/problems.ts";
import { certificates } from "../envoy/certificates.ts";

const HURRY = { quiet: 0, arrivals: 0, whole: 20, linger: 1000 };

const GATE = { hold: () => {}, release: () => {} };

async function connectedTo(server: Server): Promise<Socket> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  await once(client, "connect");
  return client;
}

/** A server that is in a hurry, and a request to it whose body has begun. */
async function begun() {
  const app = fastify({ forceCloseConnections: true, pluginTimeout: 0, return503OnClosing: false });
  finishFirst(app, gather(app), HURRY);
  app.setErrorHandler(problemSender(() => {}));
  const asked = new Promise<void>((resolve) => {
    app.addHook("onRequest", async () => resolve());
  });
  let handled = 0;
  app.post("/", async () => `handled ${++handled}`);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  const headers = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 6";
  socket.write(`POST / HTTP/1.1\r\n${headers}\r\n\r\n"hal`);
  await asked;
  return { app, socket, handled: () => handled };
}

it("tells a caller that never finishes asking that it is stopping", async () => {
  const { app, socket, handled } = await begun();
  const answer = text(socket);
  await app.close();
  expect(await answer).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n.*"stopping"/is);
  expect(handled()).toBe(0);
});

it("does nothing for what comes after that", async () => {
  const { app, socket, handled } = await begun();
  const answer = text(socket);
  const closed = app.close();
  await once(socket, "readable");
  socket.write('f"');
  await closed;
  expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(handled()).toBe(0);
});

it("ends the connection of a client that reads nothing", async () => {
  const server = createServer((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
  const stop = new GracefulStop(server, GATE, { ...HURRY, whole: 1, linger: 1 });
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const client = (await connectedTo(server)).pause();
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [socket] = await accepted;
  await once(server, "request");
  let hasClosed = false;
  socket.once("close", () => {
    hasClosed = true;
  });
  await stop.run();
  expect(hasClosed).toBe(true);
  client.destroy();
});

it("ends a connection whose handshake has not come", async () => {
  const server = createTlsServer(certificates().server);
  const stop = new GracefulStop(server, GATE, { ...HURRY, whole: 1, linger: 1 });
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const client = await connectedTo(server);
  const [socket] = await accepted;
  let hasClosed = false;
  socket.once("close", () => {
    hasClosed = true;
  });
  await stop.run();
  expect(hasClosed).toBe(true);
  client.destroy();
});

it("ends a connection that arrives when the stop is over", async () => {
  const server = createServer();
  const stop = new GracefulStop(server, GATE, { ...HURRY, whole: 1, linger: 1 });
  await stop.run();
  const listener = createRawServer((socket) => server.emit("connection", socket));
  const client = await connectedTo(listener);
  await once(client, "close");
  listener.close();
});
