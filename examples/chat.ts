/**
 * A chat: two connections an address, refused before the handshake; five messages a second for each
 * user. Who writes faster is slowed down, and who goes on for too long is closed.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MINUTE, RateLimiter, SECOND } from "spillway";
import { limitMessages, limitUpgrades } from "spillway/sockets";
import { WebSocket, WebSocketServer } from "ws";

const limiter = new RateLimiter({
  connects: { kind: "token bucket", rate: 10, period: MINUTE },
  connections: { kind: "concurrency", capacity: 2, ttl: 10 * MINUTE },
  messages: { kind: "token bucket", rate: 5, period: SECOND },
  bytes: { kind: "token bucket", rate: 4000, period: MINUTE },
});

function chat() {
  const server = createServer();
  const room = new WebSocketServer({ server, maxPayload: 4000 });
  limitUpgrades(server, limiter, { limits: [{ limit: "connects" }, { limit: "connections" }] });
  room.on("connection", (socket, { url }) => {
    const user = url?.slice(1) ?? "";
    limitMessages(socket, limiter, { messages: "messages", bytes: "bytes", key: user, wait: "1s" });
    socket.on("error", () => {});
    socket.on("message", (text) => {
      for (const each of room.clients) each.send(`${user}: ${text}`);
    });
  });
  return server;
}

export async function story() {
  const server = chat().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const join = (user: string) => new WebSocket(`ws://127.0.0.1:${port}/${user}`);
  const [ada, bob] = [join("ada"), join("bob")];
  await Promise.all([once(ada, "open"), once(bob, "open")]);
  const [, third] = await once(join("eve"), "unexpected-response");
  const lines = [`a third connection: ${third.statusCode}, no handshake`];

  let heard = 0;
  bob.on("message", () => heard++);
  ada.send("hello");
  const [hello] = await once(bob, "message");
  lines.push(`bob hears "${hello}"`);
  const closed = once(ada, "close");
  for (let count = 0; count < 50; count++) ada.send("buy!");
  const [code, reason] = await closed;
  const some = heard >= 9 && heard < 20 ? "two seconds' worth is heard" : heard;
  lines.push(`50 more at once: ${some}, then ${code}`);
  lines.push(`the reason says when to come back: ${/retry after \d+ s/.test(String(reason))}`);
  bob.terminate();
  return server.close() && lines;
}

if (import.meta.main) console.log((await story()).join("\n"));
