import { ONLY_NODE, type RedisDriver } from "./connection.ts";

/** The part of valkey-glide that the store uses: a `GlideClient` or a `GlideClusterClient`. */
export type GlideClient = {
  customCommand(parts: string[]): Promise<unknown>;
};

/** The number of slots that are treated as one node, because nodes have ranges of slots. */
const SLOTS = 1024;

/**
 * Wraps a client of valkey-glide.
 *
 * This client does not report whether it is connected, or which node has a slot. So a call on a
 * lost connection fails only at its deadline.
 */
export function overGlide(client: GlideClient): RedisDriver {
  const ask = (command: string, script: string, keys: string[], values: string[]) =>
    client.customCommand([command, script, `${keys.length}`, ...keys, ...values]);
  return {
    place: ONLY_NODE,
    // Only the client of a cluster has this.
    isCluster: "pubsubShardChannels" in client,
    unready: () => undefined,
    lastError: () => undefined,
    runKnown: ({ sha1 }, keys, values) => ask("EVALSHA", sha1, keys, values),
    run: ({ source }, keys, values) => ask("EVAL", source, keys, values),
    knowsNodes: false,
    // Slots are treated in ranges. So a node that is down affects few slots of other nodes, and
    // their successes do not hide its failures.
    nodeOf: (slot) => `${ONLY_NODE}, slots from ${slot - (slot % SLOTS)}`,
  };
}
