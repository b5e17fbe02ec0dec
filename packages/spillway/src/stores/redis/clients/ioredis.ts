import { type NetworkEndpoint, placeOf } from "../../../internal/index.ts";
import { printable, SpillwayError, type Warn } from "../../../limits/core/index.ts";
import { listen, ONLY_NODE, type RedisDriver } from "./connection.ts";
import { guardAsking, type NodesOfCluster } from "./guarded-asking.ts";
import { type WarnableClient, warnOnce } from "./ioredis-warnings.ts";

/** The part of ioredis that the store uses: `Redis`, with or without Sentinel, or `Cluster`. */
export type IoRedisClient = {
  readonly status: string;
  readonly isCluster?: boolean;
  evalsha(sha1: string, keys: number, ...rest: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...rest: string[]): Promise<unknown>;
  connect(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
};

/** Members that only some clients have. */
type IoRedisExtras = {
  /** The nodes of a cluster by slot, the master first. */
  readonly slots?: readonly (readonly string[] | undefined)[];
  readonly options?: NetworkEndpoint & {
    readonly keyPrefix?: string;
    /** Set if sentinels report the master. The options then have no address of it. */
    readonly sentinels?: readonly unknown[];
    readonly name?: string;
  };
};

/**
 * Wraps a client of ioredis. @throws SpillwayError `bad-client` for a cluster without slots, or a
 * prefix with braces.
 */
export function overIoRedis(client: IoRedisClient & IoRedisExtras, warn: Warn): RedisDriver {
  checkCluster(client);
  checkPrefix(client.options?.keyPrefix);
  warnOnce(client as WarnableClient, warn);
  const errors = listen(client);
  const isCluster = client.isCluster === true;
  if (isCluster) guardAsking(client as IoRedisClient & NodesOfCluster);
  return {
    isCluster,
    place: placeOfMaster(client),
    unready() {
      if (client.status === "ready") return undefined;
      if (client.status === "wait") client.connect().catch(() => {});
      return client.status === "end" ? new Error("the client is closed") : "soon";
    },
    lastError: () => errors.last,
    runKnown: ({ sha1 }, keys, values) => client.evalsha(sha1, keys.length, ...keys, ...values),
    run: ({ source }, keys, values) => client.eval(source, keys.length, ...keys, ...values),
    knowsNodes: true,
    nodeOf: (slot) => client.slots?.[slot]?.[0] ?? ONLY_NODE,
  };
}

function placeOfMaster({ isCluster, options }: IoRedisClient & IoRedisExtras): string {
  if (isCluster === true) return "redis cluster";
  if (!options?.sentinels) return placeOf(ONLY_NODE, options);
  return `redis master ${printable(options.name ?? "")}`;
}

/**
 * The client of a cluster must report which node has a slot, because each node has its own breaker.
 */
function checkCluster({ isCluster, slots }: IoRedisClient & IoRedisExtras): void {
  if (isCluster !== true || Array.isArray(slots)) return;
  throw new SpillwayError({
    code: "bad-client",
    field: "client.slots",
    value: slots,
    isPrivate: true,
    expected: "the nodes of a cluster by slot, because the client has isCluster: true",
    hint: "Pass ioredis' own `new Cluster(…)`",
  });
}

/** ioredis adds its own prefix to all keys. A brace in it would move them to another slot. */
function checkPrefix(value: string | undefined): void {
  if (value === undefined || !/[{}]/.test(value)) return;
  throw new SpillwayError({
    code: "bad-client",
    field: "client.options.keyPrefix",
    value,
    expected: "one without braces, which mark the part of a key that decides its slot",
  });
}
