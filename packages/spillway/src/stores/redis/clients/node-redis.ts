import { type NetworkEndpoint, placeOf } from "../../../internal/index.ts";
import { listen, ONLY_NODE, type RedisDriver } from "./connection.ts";

type KeysAndArguments = { readonly keys: string[]; readonly arguments: string[] };

/**
 * The part of node-redis that the store uses: a client of `createClient`, `createCluster` or
 * `createSentinel`.
 */
export type NodeRedisClient = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  evalSha(sha1: string, options: KeysAndArguments): Promise<unknown>;
  eval(script: string, options: KeysAndArguments): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
};

/** Members that only some clients have. */
type NodeRedisExtras = {
  readonly options?: { readonly socket?: NetworkEndpoint };
  /** The shards of a cluster by slot. */
  readonly slots?: readonly ({ readonly master: { readonly address: string } } | undefined)[];
};

export function overNodeRedis(client: NodeRedisClient & NodeRedisExtras): RedisDriver {
  const errors = listen(client);
  const isCluster = "slots" in client;
  return {
    isCluster,
    place: isCluster ? "redis cluster" : placeOf(ONLY_NODE, client.options?.socket),
    unready() {
      if (client.isReady) return undefined;
      return client.isOpen ? "soon" : new Error("the client is not connected: call its connect()");
    },
    lastError: () => errors.last,
    runKnown: ({ sha1 }, keys, values) => client.evalSha(sha1, { keys, arguments: values }),
    run: ({ source }, keys, values) => client.eval(source, { keys, arguments: values }),
    knowsNodes: true,
    nodeOf: (slot) => (isCluster ? client.slots?.[slot]?.master.address : undefined) ?? ONLY_NODE,
  };
}
