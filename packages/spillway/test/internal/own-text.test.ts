/** Keys that are parts of long texts, as of headers: whoever keeps them keeps no more than them. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cached } from "../../src/http/headers/index.ts";
import { partitions } from "../../src/http/headers/partition.ts";
import { ownText } from "../../src/internal/own-text.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { denialCache, lent } from "../../src/stores/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";

const KEYS = 4000;
const HEADER = 8192;

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Bytes that are in use, without what was only of an earlier turn. */
async function inUse(): Promise<number> {
  for (let times = 0; times < 2; times++) {
    await new Promise<void>((turn) => setImmediate(turn));
    gc();
  }
  return process.memoryUsage().heapUsed;
}

/** A part of a text that is written anew each time, as what comes from a socket is. */
function partOfHeader(number: number): string {
  const bytes = Buffer.alloc(HEADER, "x");
  bytes.write(`Bearer token-of-client-${String(number).padStart(10, "0")}`);
  return bytes.toString("latin1").slice(7, 33);
}

const LIMITS = {
  rate: { kind: "token bucket", rate: 1, period: "1h" },
  lent: { kind: "token bucket", rate: 100, period: "1h", share: "10s" },
  places: { kind: "concurrency", capacity: 2, ttl: "1h" },
  lentPlaces: { kind: "concurrency", capacity: 100, ttl: "1h", share: "10s" },
} as const;

/** Memory, as one of which several processes ask. */
function far() {
  const memory = memoryStore();
  const execute = async (command: never) => memory.execute(command);
  return { timing: "later", execute } as never;
}

type Use = (key: string) => unknown;

/** Each of them keeps keys, or something for each. */
const KEEPERS: Readonly<Record<string, () => Use>> = {
  "a limit in memory": () => {
    const limiter = new RateLimiter(LIMITS);
    return (key) => limiter.limit("rate", { key });
  },
  "leases in memory": () => {
    const limiter = new RateLimiter(LIMITS);
    return (key) => limiter.acquire("places", { key });
  },
  "units that are lent": () => {
    const limiter = new RateLimiter(LIMITS, { store: lent(far(), {}) });
    return (key) => limiter.limit("lent", { key });
  },
  "places that are lent": () => {
    const limiter = new RateLimiter(LIMITS, { store: lent(far(), {}) });
    return (key) => limiter.acquire("lentPlaces", { key });
  },
  "refusals that are remembered": () => {
    const limiter = new RateLimiter(LIMITS, { store: denialCache(far(), {}) });
    return async (key) => {
      await limiter.limit("rate", { key });
      await limiter.limit("rate", { key });
    };
  },
  "partition keys": () => {
    const partition = partitions({ secret: "of the fleet and of nobody else" });
    return (key) => partition({ limit: "rate", key });
  },
  "what `cached` loads": () => cached(() => 1, { for: "1h" }),
};

describe.each(Object.entries(KEEPERS))("%s", (_, make) => {
  test("keep keys, and not what these were parts of", async () => {
    const use = make();
    await use(partOfHeader(KEYS));
    const before = await inUse();
    for (let number = 0; number < KEYS; number++) await use(partOfHeader(number));
    const kept = (await inUse()) - before;
    // Whoever asks it again keeps it until here.
    await use(partOfHeader(0));
    expect(kept).toBeLessThan((KEYS * HEADER) / 3);
  });
});

test("it is the same text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => ownText(text) === text));
  expect(ownText(undefined)).toBeUndefined();
  for (const text of ["\ud83d\udca7".repeat(20), "\ud800".repeat(21)]) {
    expect(ownText(text)).toBe(text);
  }
});
