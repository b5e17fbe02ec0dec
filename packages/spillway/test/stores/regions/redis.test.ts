/** Three Redis servers as regions: each is cut off in turn, while processes ask in all of them. */
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type RegionEvent, type RegionStore, regionStore } from "../../../src/stores/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { startProxy } from "../../servers/faulty-proxy.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "../redis/clients.ts";

const NAMES = ["ap", "eu", "us"];
/** Nothing comes back while the test runs, so that what is admitted in all can be counted to the unit. */
const LIMITS = { it: { kind: "token bucket", rate: 300, period: "366d" } } as const;
const HOLD = 60_000;
/** Milliseconds from one region to another. */
const ONE_WAY = 40;

/** A region's server, and the way to it from the others. */
async function startRegion(name: string) {
  const server = await startRedis();
  const proxy = await startProxy(server.port);
  proxy.delay(ONE_WAY);
  return { name, server, proxy };
}

test("each region cut off in turn: never over, answered near, and no unit lost in the end", async () => {
  await using stack = new AsyncDisposableStack();
  const regions = await Promise.all(NAMES.map(startRegion));
  for (const { proxy } of regions) stack.use(proxy);
  for (const { server } of regions) stack.use(server);
  const connect = (port: number) => {
    const client = new Redis(port, ONCE);
    client.on("error", () => {});
    stack.defer(() => client.disconnect());
    return client;
  };
  const events: RegionEvent[] = [];
  /** A process of a region: its own server is near, all others are behind their proxies. */
  const process = (here: string): RegionStore => {
    const stores = regions.map(({ name, server, proxy }) => {
      const far = { deadline: 300, breaker: { failures: 1000, pause: 100 } };
      const near = { deadline: 30_000 };
      const port = name === here ? server.port : proxy.port;
      const store = redisStore(connect(port), name === here ? near : far);
      return [name, { store, part: 1 }] as const;
    });
    return regionStore({
      here,
      regions: Object.fromEntries(stores),
      hold: HOLD,
      onEvent: (event) => events.push(event),
    });
  };
  const stores = NAMES.map(process);
  const limiters = stores.map((store) => new RateLimiter(LIMITS, { store }));
  const admitted = NAMES.map(() => 0);
  const seen = { degraded: 0 };
  const ask = async (region: number) => {
    const { ok, degraded } = await (limiters[region] as (typeof limiters)[0]).limit("it");
    if (degraded) seen.degraded++;
    if (ok) admitted[region] = (admitted[region] as number) + 1;
    return ok;
  };

  /** Asks until each of these regions was found to be away, or back. */
  const hasHeard = (type: "away" | "back", names: readonly string[]) => {
    const heard = async () => {
      await ask(1);
      const of = (name: string) =>
        events.findLast((event) => event.region === name && /away|back/.test(event.type));
      return names.every((name) => of(name)?.type === type);
    };
    return until(heard, { what: `${names} are found ${type}` });
  };

  // The second region has all the traffic, and is cut off from the first, from the third, and from both.
  for (let time = 0; time < 100; time++) expect(await ask(1)).toBe(true);
  for (const cut of [["ap"], ["us"], ["ap", "us"]]) {
    const ways = regions.filter(({ name }) => cut.includes(name)).map(({ proxy }) => proxy);
    for (const proxy of ways) proxy.hang();
    await hasHeard("away", cut);
    for (const proxy of ways) {
      proxy.heal();
      proxy.delay(ONE_WAY);
      proxy.cut();
    }
    await hasHeard("back", cut);
  }
  expect(seen.degraded).toBe(0);
  // A quarter of their parts the others keep, as far as the borrower knows.
  const hasBorrowed = async () => {
    // By now all of it may be used up.
    await ask(1);
    return (admitted[1] as number) > 150;
  };
  await until(hasBorrowed, { what: "most of the others' parts were borrowed" });
  await Promise.all(limiters.map((limiter) => limiter.giveBack()));
  // Each takes all that is left of its own part, again and again.
  const drained = async () => {
    for (const region of NAMES.keys()) while (await ask(region));
    return sum(admitted) === 300;
  };
  await until(drained, { what: "every unit was admitted" });
  for (const region of NAMES.keys()) expect(await ask(region)).toBe(false);
  expect(sum(admitted)).toBe(300);
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
