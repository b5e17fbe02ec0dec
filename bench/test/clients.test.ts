import { expect, test } from "vitest";
import { PATHS } from "../shedding/arrivals.ts";
import type { Clients } from "../shedding/clients/clients.ts";
import { type ClientKind, makeClients } from "../shedding/clients/index.ts";
import { type Reply, serve } from "./serve.ts";

const REQUEST = { path: PATHS.work, priority: "normal" } as const;

/** A server that answers when the test says so. */
async function manual(kind: ClientKind) {
  const replies: Reply[] = [];
  let onReply = () => {};
  const server = await serve(kind, (_, reply) => {
    replies.push(reply);
    onReply();
  });
  const reply = async (index: number) => {
    while (replies.length <= index) {
      await new Promise<void>((resolve) => {
        onReply = resolve;
      });
    }
    return replies[index] as Reply;
  };
  return { server, reply };
}

function answered(clients: Clients): Promise<number | undefined> {
  return new Promise((resolve) => clients.send(REQUEST, resolve));
}

/** How many connections two requests need, of which the first was answered, or given up. */
const HABITS = [
  { kind: "closing", answered: 1, abandoned: 2 },
  { kind: "keeping", answered: 1, abandoned: 1 },
  { kind: "single", answered: 2, abandoned: 2 },
  { kind: "http2 single", answered: 2, abandoned: 2 },
] as const;

test.each(HABITS)(
  "$kind clients need $answered for two answers",
  async ({ kind, answered: due }) => {
    const { server, reply } = await manual(kind);
    await using _ = server;
    using clients = makeClients(kind, server.port);
    for (const index of [0, 1]) {
      const status = answered(clients);
      (await reply(index)).answer(200);
      expect(await status).toBe(200);
    }
    expect(server.connections()).toBe(due);
    if (due === 2) await server.closed(2);
  },
);

test.each(HABITS)("$kind clients need $abandoned where they gave up", async (habit) => {
  const { kind, abandoned } = habit;
  const { server, reply } = await manual(kind);
  await using _ = server;
  using clients = makeClients(kind, server.port);
  const gone = new Promise((resolve) => {
    const flight = clients.send(REQUEST, resolve);
    reply(0).then((unanswered) => {
      flight?.abort();
      if (kind === "keeping") unanswered.answer(200);
    });
  });
  await gone;
  const status = answered(clients);
  (await reply(1)).answer(200);
  expect(await status).toBe(200);
  expect(server.connections()).toBe(abandoned);
});

test("clients of HTTP/2 share four connections, and keep them when they give up", async () => {
  const { server, reply } = await manual("http2");
  await using _ = server;
  using clients = makeClients("http2", server.port);
  await clients.open(1);
  for (let index = 0; index < 8; index++) {
    const gone = new Promise((resolve) => {
      const flight = clients.send(REQUEST, resolve);
      reply(index).then(() => flight?.abort());
    });
    expect(await gone).toBeUndefined();
  }
  expect(server.connections()).toBe(4);
});

test("connections that are opened before are used", async () => {
  const { server, reply } = await manual("closing");
  await using _ = server;
  using clients = makeClients("closing", server.port);
  await clients.open(3);
  const statuses = [answered(clients), answered(clients), answered(clients)];
  for (const index of [0, 1, 2]) (await reply(index)).answer(200);
  expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  expect(server.connections()).toBe(3);
});

test("a response that stays open is answered when it begins, and keeps its connection", async () => {
  const { server, reply } = await manual("closing");
  await using _ = server;
  using clients = makeClients("closing", server.port);
  const begun = answered(clients);
  (await reply(0)).begin();
  expect(await begun).toBe(200);
  const next = answered(clients);
  (await reply(1)).answer(200);
  expect(await next).toBe(200);
  expect(server.connections()).toBe(2);
});
