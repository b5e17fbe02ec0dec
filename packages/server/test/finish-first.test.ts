import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import fastify from "fastify";
import { expect, it } from "vitest";
import { finishFirst } from "../src/doors/http-api/finish-first.ts";

it("does not wait for ever for a caller that never finishes asking", async () => {
  const app = fastify({ forceCloseConnections: true, pluginTimeout: 0 });
  finishFirst(app, { patience: 20 });
  const asked = new Promise<void>((resolve) => {
    app.addHook("onRequest", async () => resolve());
  });
  app.post("/", async () => "done");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  const cut = once(socket, "close");
  const headers = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 9";
  socket.write(`POST / HTTP/1.1\r\n${headers}\r\n\r\n"hal`);
  await asked;
  await app.close();
  await cut;
  expect(socket.destroyed).toBe(true);
});
