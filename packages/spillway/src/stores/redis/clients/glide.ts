import { ONLY_NODE, type RedisDriver } from "./connection.ts";

/** What is used of valkey-glide: a `GlideClient` or a `GlideClusterClient`. */
export type GlideClient = {
  customCommand(parts: string[]): Promise<unknown>;
};

/** Slots that are taken for one node: nodes keep them in ranges. */
const SLOTS = 1024;

/** It has no word of whether it is connected or of who keeps a slot: its requests fail in time instead. */
export function overGlide(client: GlideClient): RedisDriver {
  const ask = (command: string, script: string, keys: string[], values: string[]) =>
    client.customCommand([command, script, `${keys.length}`, ...keys, ...values]);
  return {
    place: ONLY_NODE,
    // What only a cluster has.
    isCluster: "pubsubShardChannels" in client,
    unready: () => undefined,
    lastError: () => undefined,
    runKnown: ({ sha1 }, keys, values) => ask("EVALSHA", sha1, keys, values),
    run: ({ source }, keys, values) => ask("EVAL", source, keys, values),
    knowsNodes: false,
    // So that a node that is down leaves most of what others keep alone, and is not kept alive by them.
    nodeOf: (slot) => `${ONLY_NODE}, slots from ${slot - (slot % SLOTS)}`,
  };
}
