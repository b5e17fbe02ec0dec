/** Regions whose store is away, or has lost its state, while units of others are held. */
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type RegionStore, regionStore } from "../../../src/stores/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { command } from "../../servers/command.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "../redis/clients.ts";

/** Nothing comes back while a test runs. */
const LIMITS = { it: { kind: "token bucket", rate: 200, period: "366d" } } as const;
const PART = 100;

let stack: AsyncDisposableStack;
let near: RedisNode;
let far: RedisNode;
let store: RegionStore;
let limiter: RateLimiter<typeof LIMITS, "later">;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  [near, far] = await Promise.all([startRedis(), startRedis()]);
  stack.use(near);
  stack.use(far);
  store = processIn("eu");
  limiter = new RateLimiter(LIMITS, { store });
});
afterEach(() => stack[Symbol.asyncDispose]());

/** A process in one of the regions. */
function processIn(here: "eu" | "us"): RegionStore {
  const reach = ({ port }: RedisNode) => {
    const client = new Redis(port, ONCE);
    client.on("error", () => {});
    stack.defer(() => client.disconnect());
    const patience = { deadline: 1000, breaker: { failures: 1, pause: 100 } };
    return { store: redisStore(client, { ...patience, warn: () => {} }), part: 1 };
  };
  const regions = { eu: reach(near), us: reach(far) };
  return regionStore({ here, regions, hold: 60_000 });
}

const numbers = () => store.lending.numbers();
const held = () => numbers().held;
const ask = () => limiter.limit("it", { key: "k" });

/** Asks until it is refused; returns how many units were admitted. */
async function drain(): Promise<number> {
  let admitted = 0;
  while ((await ask()).ok) admitted++;
  return admitted;
}

/** Uses up the near part, and has some of the other held here. */
async function borrow(): Promise<number> {
  let admitted = await drain();
  const holdsSome = async () => {
    if (held() > 3) return true;
    if ((await ask()).ok) admitted++;
    return false;
  };
  await until(holdsSome, { what: "some units are held" });
  return admitted;
}

test("while the near store is away, units of others are used up, and then the limit's own answer stands", async () => {
  const before = await borrow();
  await near.kill();
  const [units, after] = [held(), await drain()];
  expect(after).toBeGreaterThanOrEqual(units);
  expect(before + after).toBeLessThanOrEqual(2 * PART);
  // What is drawn meanwhile is used as well.
  const last = async () => {
    const answer = await ask();
    return answer.reason === "unavailable" && answer.degraded === true;
  };
  await until(last, { what: "no more can be drawn" });
});

test("where the near store has lost its state, its part is admitted once more, and no unit of the others", async () => {
  const before = await borrow();
  await command(near.port, "FLUSHALL");
  const after = await drain();
  await limiter.giveBack();
  expect(before + after + (await drain())).toBeLessThanOrEqual(3 * PART);
  const { remaining } = await limiter.value("it", { key: "k" });
  expect(remaining).toBe(0);
});

test("where another store has lost its state, units of it that are held are dropped once that is heard", async () => {
  await borrow();
  const { held: before, lent: drawn } = numbers();
  await command(far.port, "FLUSHALL");
  const there = new RateLimiter(LIMITS, { store: processIn("us") });
  /** Units that the other store has lent since. */
  const lent = async () => {
    const { regions = [] } = await there.value("it", { key: "k" });
    return PART - (regions[0]?.remaining ?? PART);
  };
  expect(before).toBeGreaterThan(await lent());
  // For more than is held: nothing is used, and more is drawn.
  const knows = async () => {
    expect(await limiter.limit("it", { key: "k", count: PART })).toMatchObject({ ok: false });
    return numbers().lent > drawn && held() <= (await lent());
  };
  await until(knows, { what: "what was held before is dropped" });
  await limiter.giveBack();
  expect(await lent()).toBe(0);
});
