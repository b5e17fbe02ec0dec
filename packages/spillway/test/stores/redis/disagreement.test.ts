import { Redis } from "ioredis";
import { test } from "vitest";
import { redisStore, type StoreEvent } from "../../../src/stores/redis/index.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { expectSafe } from "../disagreement.ts";
import { ONCE } from "./clients.ts";

/** The numbers of the script's reply, a list or a text: the second is how many were charged. */
type Reply = [now: number, charged: number, ...states: number[]];

test.each([
  [
    "a script that counts otherwise",
    ([now, charged, ...states]: Reply) => [now, charged + 1, ...states],
  ],
  ["a reply that is none", ([now]: Reply) => [now]],
] as const)("%s is no outage, and admits nothing", async (_, altered) => {
  await using server = await startRedis();
  const client = new Redis(server.port, ONCE);
  using _closing = { [Symbol.dispose]: () => client.disconnect() };
  let isAltered = false;
  const { evalsha } = client;
  Object.assign(client, {
    async evalsha(...all: Parameters<typeof evalsha>) {
      const reply = (await evalsha.apply(client, all)) as Reply | string;
      if (!isAltered) return reply;
      if (typeof reply !== "string") return altered(reply);
      return altered(reply.split(",").map(Number) as Reply).join(",");
    },
  });
  const events: StoreEvent[] = [];
  const store = redisStore(client, { deadline: 10_000, onEvent: (event) => events.push(event) });
  const miscounts = (doesSo: boolean) => {
    isAltered = doesSo;
  };
  await expectSafe({ store, events, miscounts });
});
