/** Stores that promise their answers, and throw where they should reject: what is held is as after a rejection. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Store } from "../../../src/limits/core/index.ts";
import { lent } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const LIMITS = {
  bucket: { kind: "token bucket", rate: 10, period: "1h", capacity: 400, share: "10s" },
  plain: { kind: "token bucket", rate: 10, period: "1h" },
  jobs: { kind: "concurrency", capacity: 10, ttl: "1m", share: "10s" },
} as const;
const key = "k";

/** A store across a network that throws while it is away. */
function place() {
  const clock = manualClock();
  const inside = memoryStore({ clock });
  const network = { isAway: false };
  const raw: Store<"later"> = {
    timing: "later",
    execute(command) {
      if (network.isAway) throw new Error("away");
      return Promise.resolve(inside.execute(command)) as never;
    },
  };
  const scheduler = { elapsed: clock, afterDelay: () => {} };
  const store = lent(raw, { clock, scheduler });
  const limiter = new RateLimiter(LIMITS, { store });
  const held = () => store.lending?.numbers().held ?? 0;
  return { network, limiter, held, clock };
}

async function holding() {
  const scene = place();
  for (let ask = 0; ask < 20; ask++) await scene.limiter.limit("bucket", { key });
  await (await scene.limiter.acquire("jobs", { key })).release();
  expect(scene.held()).toBeGreaterThan(1);
  return scene;
}

describe("a store that throws at once", () => {
  test("has an ask rejected, and is asked again", async () => {
    const { network, limiter, clock } = await holding();
    network.isAway = true;
    const ask = () => limiter.limit("bucket", { key, count: 380 });
    await expect(ask()).rejects.toThrow("away");
    await expect(limiter.acquire("jobs", { key, count: 5 })).rejects.toThrow("away");
    network.isAway = false;
    clock.advance(1000);
    expect([(await ask()).ok, (await ask()).ok]).toEqual([true, false]);
    expect((await limiter.acquire("jobs", { key, count: 10 })).ok).toBe(true);
  });

  test("has several asks rejected, of which what is held here is put back", async () => {
    const { network, limiter, held } = await holding();
    const before = held();
    network.isAway = true;
    const both = [
      { limit: "bucket", key },
      { limit: "jobs", key },
      { limit: "plain", key },
    ] as const;
    await expect(limiter.limitAll(both)).rejects.toThrow("away");
    expect(held()).toBe(before);
  });

  test("leaves what is given back missing, and nothing else", async () => {
    const { network, limiter, held } = await holding();
    network.isAway = true;
    await limiter.giveBack();
    expect(held()).toBe(0);
    network.isAway = false;
    expect((await limiter.limit("bucket", { key })).ok).toBe(true);
  });
});
