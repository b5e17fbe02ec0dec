/** How faults are done to Redis, and seen there. */
import { planFor } from "../../../../src/limits/algorithms/index.ts";
import { RedisKeys } from "../../../../src/stores/redis/redis-keys.ts";
import { type Fault, LIMITS, LOG, type Scene, type Subject } from "../../faults/fault.ts";
import { type Client, type Make, openClient } from "./clients/connections.ts";
import type { Target } from "./clients/target.ts";

export type RedisFault = Fault<Client>;

export type RedisScene = Scene<Client>;

export const REDIS: Subject<Client> = {
  open: openClient,
  program: new URL("./clients/client-process.ts", import.meta.url),
};

/** Who asks. */
const MAKES: readonly Make[] = ["ioredis", "node-redis", "valkey-glide"];

/** Where one of them can't: it neither asks sentinels nor gives up a silent connection. */
export const WITHOUT_GLIDE: readonly Make[] = ["ioredis", "ioredis", "node-redis"];

/** Clients of a target, by default one of each make. */
export function clientsOf(target: Target, makes = MAKES): Pick<RedisScene, "clients" | "direct"> {
  return { clients: makes.map((make) => ({ make, target })), direct: directly(target) };
}

/** The client that keeps the books. */
export function directly(target: Target): Client {
  return { make: "ioredis", target };
}

/** Where the state of a limit of some key is kept. */
export function stateKey(limit: keyof typeof LIMITS, key: string): string {
  return new RedisKeys("spillway", undefined).stateKey({
    plan: planFor(limit, LIMITS[limit]),
    key,
  });
}

/** Where the older entries of a long log are kept, apart from its state. */
export function logKey(key: string): string {
  return new RedisKeys("spillway", undefined).listKey(
    stateKey(LOG, key),
    planFor(LOG, LIMITS[LOG]),
  );
}
