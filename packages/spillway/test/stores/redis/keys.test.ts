import fc from "fast-check";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { RedisKeys } from "../../../src/stores/redis/redis-keys.ts";
import { slotOf } from "../../../src/stores/redis/slot.ts";
import { runs } from "../../runs.ts";
import { startRedis } from "../../servers/redis-node.ts";

const limit = { kind: "token bucket", rate: 1, period: 1000 } as const;
const budget = (name: string, key: string | undefined) => ({ plan: planFor(name, limit), key });

/** Texts of the characters that keys are made with, and of halves of surrogate pairs. */
const text = fc.string({ unit: fc.constantFrom(..."{}:=~.#!+0123ab", "\ud800", "\udfff", "é") });
const pair = fc.tuple(text, fc.option(text, { nil: undefined }));
const tags = fc.option(fc.constantFrom("", "a", "}", "1=a"), { nil: undefined });

/** Two definitions of one limit, each of which has a list of its own. */
const LOGS = [5, 6].map((rate) => planFor("it", { kind: "sliding log", rate, period: "1h" }));

/** What a server makes of a text. */
const utf8 = (text: string) => Buffer.from(text).toString("hex");

test("no two budgets share a key, or the key of another's list", () => {
  fc.assert(
    fc.property(pair, pair, tags, (one, other, tag) => {
      fc.pre(one[0] !== other[0] || one[1] !== other[1]);
      const keys = new RedisKeys("p", tag === undefined ? undefined : () => tag);
      const [first, second] = [keys.stateKey(budget(...one)), keys.stateKey(budget(...other))];
      const lists = LOGS.flatMap((plan) => [first, second].map((key) => keys.listKey(key, plan)));
      expect(new Set([first, second, ...lists].map(utf8)).size).toBe(6);
    }),
    { numRuns: runs(2000) },
  );
});

test("all limits of a key share a slot, with their lists; so do all keys of a tag", () => {
  fc.assert(
    fc.property(text, text, text, (one, other, key) => {
      const keys = new RedisKeys("p", undefined);
      const [first, second] = [keys.stateKey(budget(one, key)), keys.stateKey(budget(other, key))];
      expect(slotOf(second)).toBe(slotOf(first));
      for (const plan of LOGS) expect(slotOf(keys.listKey(first, plan))).toBe(slotOf(first));
      const tagged = new RedisKeys("p", () => "org");
      const ours = tagged.stateKey(budget(one, key));
      expect(slotOf(tagged.stateKey(budget(other, undefined)))).toBe(slotOf(ours));
    }),
  );
});

test("slots are those that a server computes", async () => {
  await using server = await startRedis({ args: ["--cluster-enabled", "yes"] });
  const client = new Redis(server.port);
  for (const key of ["", "a", "p:{1=k}:it", "{}a", "{a", "a{b}{c}", "é{ü}", "123456789"]) {
    expect(slotOf(key)).toBe(await client.cluster("KEYSLOT", key));
  }
  client.disconnect();
});
