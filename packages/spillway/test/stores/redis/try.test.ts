import { Redis } from "ioredis";
import { describe, test } from "vitest";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { conformance } from "../../../src/testing/index.ts";

describe("the redis store conforms", () => {
  const client = new Redis(7399);
  for (const { name, run } of conformance(
    async (clock) => {
      await client.flushall();
      return redisStore(client, { clock, onEvent: (e) => console.log(e) });
    },
    { seeds: 60 },
  ))
    test(name, run);
});
