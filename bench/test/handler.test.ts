import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { adaptiveShedder, type Shedder, type Work } from "spillway/shedding";
import { expect, test } from "vitest";
import { PATHS } from "../shedding/arrivals.ts";
import { guarded } from "../shedding/servers/handler.ts";

/** A server as the suite has it, and what its shedder was asked and did. */
async function serveGuarded() {
  const asked: Work[] = [];
  const shedder = adaptiveShedder();
  const admit: Shedder["admit"] = (work = {}) => {
    asked.push(work);
    return shedder.admit(work);
  };
  let done = 0;
  const handler = guarded({ ...shedder, admit }, () => void done++);
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    works: () => done,
    inFlight: () => shedder.stats().inFlight,
    get: (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-priority": "low" } }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("work is asked for with its priority and deadline, and done", async () => {
  await using server = await serveGuarded();
  expect((await server.get(PATHS.work)).status).toBe(200);
  expect(server.asked).toEqual([{ priority: "low", deadline: 1000, exempt: false }]);
  expect([server.works(), server.inFlight()]).toEqual([1, 0]);
});

test("a health check is exempt, and costs no work", async () => {
  await using server = await serveGuarded();
  expect((await server.get(PATHS.health)).status).toBe(200);
  expect(server.asked.map(({ exempt }) => exempt)).toEqual([true]);
  expect(server.works()).toBe(0);
});

test("a response that stays open is in flight, unless the shedder was informed", async () => {
  await using server = await serveGuarded();
  await server.get(PATHS.announced);
  expect(server.inFlight()).toBe(0);
  await server.get(PATHS.stream);
  expect(server.inFlight()).toBe(1);
  expect(server.works()).toBe(0);
});
