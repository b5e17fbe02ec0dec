/** Where the hits of a moved limiter are kept in tests: in memory, and on a real Redis. */
import { Redis } from "ioredis";
import type { Clock, Store } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { startRedis } from "../../servers/redis-node.ts";

/** A store of any kind: the limiters under test await their answers. */
export type AnyStore = Store<"now"> | Store<"later">;

/** Makes stores that share what is counted. */
export type Place = AsyncDisposable & {
  /** Whether what is made here can be used by one process alone. */
  readonly isOwn: boolean;
  store(clock?: Clock): AnyStore;
};

/** What is tested is not how busy the machine is. */
const PATIENT = { deadline: 10_000 };

export const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  async memory() {
    const stores = new Map<Clock | undefined, AnyStore>();
    return {
      isOwn: true,
      store(clock) {
        const store = stores.get(clock) ?? memoryStore(clock && { clock });
        stores.set(clock, store);
        return store;
      },
      async [Symbol.asyncDispose]() {},
    };
  },
  async redis() {
    const server = await startRedis();
    const client = new Redis(server.port, { autoResendUnfulfilledCommands: false });
    return {
      isOwn: false,
      store: (clock) => redisStore(client, { ...PATIENT, ...(clock && { clock }) }),
      async [Symbol.asyncDispose]() {
        client.disconnect();
        await server[Symbol.asyncDispose]();
      },
    };
  },
};
