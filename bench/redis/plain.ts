/** What can be done by hand, from the least that a script costs to the bucket that many have written. */
import { readFileSync } from "node:fs";
import type { Redis } from "ioredis";
import { AMPLE } from "../ample.ts";
import type { RedisContender } from "./contender.ts";

const BUCKET = readFileSync(new URL("two-key-bucket.lua", import.meta.url), "utf8");

/** A script that does nothing with its key: the least that one script call a decision can cost. */
export const noOp: RedisContender = {
  name: "no-op EVALSHA",
  async open(client) {
    const sha1 = await load(client, "return 1");
    return (key) => client.evalsha(sha1, 1, `no-op:${key}`);
  },
  admits: (answer) => answer === 1,
};

/** Two reads and two writes; the caller gives the time. */
export const twoKeyBucket: RedisContender = {
  name: "two-key token bucket",
  async open(client) {
    const sha1 = await load(client, BUCKET);
    const { rate, period, capacity } = AMPLE;
    const each = (rate * 1000) / period;
    return (key) => {
      const now = Math.floor(Date.now() / 1000);
      const name = `bucket:{${key}}`;
      return client.evalsha(sha1, 2, `${name}:left`, `${name}:at`, each, capacity, now, 1);
    };
  },
  admits: (answer) => Array.isArray(answer) && answer[0] === 1,
};

/** One command, and no limit: a counter that nothing ever resets. */
export const increment: RedisContender<number> = {
  name: "incr",
  open: async (client) => (key) => client.incr(`incr:${key}`),
  admits: (count) => count <= AMPLE.capacity,
};

/** Makes a script known to the server; returns its hash. */
export async function load(client: Redis, source: string): Promise<string> {
  return String(await client.script("LOAD", source));
}
