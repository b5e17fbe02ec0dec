import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { parseRules } from "spillway-server";
import { expect, test } from "vitest";
import { send } from "../service/load.ts";

import { RULES, requests } from "../service/question.ts";

/** A server that gives one status, and keeps what it is asked. */
async function serverThatSays(status: number) {
  const asked: unknown[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    asked.push(await json(request));
    response.writeHead(status, { "content-length": 2 }).end("{}");
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("sends so many requests on so many connections, for all keys in turn", async () => {
  using server = await serverThatSays(200);
  const asked = requests().slice(0, 20);
  const seen = await send(asked, { port: server.port, connections: 4, requests: 50 });
  expect([server.asked.length, server.connections()]).toEqual([50, 4]);
  expect(new Set(server.asked.map((body) => JSON.stringify(body))).size).toBe(20);
  expect(seen.p50).toBeGreaterThan(0);
  expect(seen.p99).toBeGreaterThanOrEqual(seen.p50);
});

test("ends a run in which something is refused", async () => {
  using server = await serverThatSays(429);
  const sending = send(requests(), { port: server.port, connections: 2, requests: 10 });
  await expect(sending).rejects.toThrow("the server answered 429 where 200 was due");
});

test("asks for what the rules limit", () => {
  const rules = parseRules([{ name: "rules.yaml", text: RULES }]);
  const [first] = requests();
  const { domain } = JSON.parse(first?.text.split("\r\n\r\n")[1] ?? "");
  expect([...rules.domains.keys()]).toEqual([domain]);
});
