/** A slot that can't be asked, for whatever its cluster says of it, leaves the other slots of its node alone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { isOfSlot } from "../../../src/stores/redis/errors.ts";
import type { StoreEvent } from "../../../src/stores/redis/index.ts";
import { slotOf } from "../../../src/stores/redis/slot.ts";
import { idOf } from "../../servers/cluster-setup.ts";
import { command } from "../../servers/command.ts";
import { LOOPBACK } from "../../servers/ports.ts";
import { type RedisCluster, startCluster } from "../../servers/redis-cluster.ts";
import type { RedisNode } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { LIMITS } from "../faults/fault.ts";
import { type Make, openClient } from "./faults/clients/connections.ts";
import { stateKey } from "./faults/fault.ts";

const MAKES: readonly Make[] = ["ioredis", "node-redis", "valkey-glide"];
/** Calls on the slot, each later than the answer to the one before: each would count. */
const CALLS = 4;
/** Milliseconds. Clients that try again by themselves are later; it is never asked whether others are in time. */
const DEADLINE = 500;
const HOUR = 3_600_000;

const slotOfKey = (key: string) => slotOf(stateKey("bucket", key));
/** Keys of the first of three masters, none of which share a slot. */
const KEYS = Array.from({ length: 200 }, (_, n) => `${n}`).filter(
  (key) => slotOfKey(key) < 16_384 / 3 - 1,
);
const OTHERS = KEYS.slice(10, 30);

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startCluster({ replicas: 0 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function open(make: Make) {
  const events: StoreEvent[] = [];
  const { store, connect, close } = await openClient({
    make,
    target: { sort: "cluster", ports: cluster.ports },
  });
  const limiter = new RateLimiter(LIMITS, {
    store: store({
      deadline: DEADLINE,
      breaker: { failures: CALLS - 2, pause: HOUR },
      onEvent: (event) => events.push(event),
    }),
  });
  await connect();
  const both = (key: string) =>
    limiter.limitAll([
      { limit: "bucket", key },
      { limit: "log", key },
    ]);
  return { limiter, both, events, [Symbol.asyncDispose]: async () => void (await close()) };
}

type Trouble = (source: RedisNode, target: RedisNode, key: string) => Promise<unknown>;

const TROUBLES: Readonly<Record<string, Trouble>> = {
  async "half of the keys of a call have moved (TRYAGAIN)"(source, target, key) {
    const slot = slotOfKey(key);
    await using opened = await open("ioredis");
    await until(async () => (await opened.both(key)).ok, { what: "both states are there" });
    await command(target.port, "CLUSTER", "SETSLOT", slot, "IMPORTING", await idOf(source));
    await command(source.port, "CLUSTER", "SETSLOT", slot, "MIGRATING", await idOf(target));
    await command(source.port, "MIGRATE", LOOPBACK, target.port, stateKey("log", key), 0, 10_000);
  },
  async "it is nobody's (CLUSTERDOWN)"(_source, _target, key) {
    const forget = ({ port }: RedisNode) => command(port, "CLUSTER", "DELSLOTS", slotOfKey(key));
    await Promise.all(cluster.nodes.map(forget));
  },
  async "two nodes say that it is the other's (MOVED)"(source, target, key) {
    const slot = slotOfKey(key);
    await command(source.port, "CLUSTER", "SETSLOT", slot, "NODE", await idOf(target));
  },
  async "it is on its way to a node that knows nothing of it (ASK)"(source, target, key) {
    const slot = slotOfKey(key);
    await command(source.port, "CLUSTER", "SETSLOT", slot, "MIGRATING", await idOf(target));
  },
};

test("calls of one turn are answered one by one where their keys have moved apart", async () => {
  const key = KEYS.at(-1) as string;
  const [source, target] = cluster.nodes as [RedisNode, RedisNode];
  await TROUBLES["half of the keys of a call have moved (TRYAGAIN)"]?.(source, target, key);
  // The others try again by themselves, for longer than the deadline.
  await using opened = await open("node-redis");
  const { limiter } = opened;
  const areAnswered = async () => {
    const asked = [limiter.limit("bucket", { key }), limiter.limit("log", { key })];
    return (await Promise.all(asked)).every(({ ok }) => ok);
  };
  await until(areAnswered, { what: "both are answered" });
});

describe("a slot fails, since", () => {
  const troubles = Object.entries(TROUBLES).map(([name, befalls], at) => ({ name, befalls, at }));
  test.for(troubles)("$name", async ({ befalls, at }) => {
    const key = KEYS[at] as string;
    const [source, target] = cluster.nodes as [RedisNode, RedisNode];
    await befalls(source, target, key);
    await Promise.all(MAKES.map((make) => expectOthersAsEver(make, key)));
  });
});

async function expectOthersAsEver(make: Make, key: string): Promise<void> {
  await using opened = await open(make);
  const { limiter, both, events } = opened;
  for (let call = 0; call < CALLS; call++) expect((await both(key)).ok).toBe(false);
  // What each client says of a slot counts against nobody; only that it says nothing counts, against the slot.
  const errors = events.flatMap((event) => (event.type === "failed" ? [event.error] : []));
  expect(errors.filter((error) => !isOfSlot(error) && error.name !== "LateError")).toEqual([]);
  const paused = events.filter((event) => event.type === "paused");
  expect(paused.filter(({ slot }) => slot !== slotOfKey(key))).toEqual([]);
  // A node that was paused would be for an hour.
  const areAnswered = async () => {
    const asked = OTHERS.map((other) => limiter.limit("bucket", { key: other }));
    return (await Promise.all(asked)).every(({ degraded }) => !degraded);
  };
  await until(areAnswered, { what: `others are answered, with ${make}` });
}
