/** Every make of client on every kind of server, for tests that hold for all of them. */
import { GlideClient, GlideClusterClient, Logger } from "@valkey/valkey-glide";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import type { RedisClient } from "../../../src/stores/redis/index.ts";
import { startCluster } from "../../servers/redis-cluster.ts";
import { startRedis } from "../../servers/redis-node.ts";

/** A client that is ready, with its servers; all closed together. */
export type Opened = AsyncDisposable & { readonly client: RedisClient; readonly port: number };

/** What the driver's clients have in common to be closed. */
type Closing = { disconnect(): unknown } | { destroy(): void } | { close(): void };

async function opened(
  server: AsyncDisposable,
  port: number,
  client: RedisClient & Closing,
): Promise<Opened> {
  return {
    client,
    port,
    async [Symbol.asyncDispose]() {
      if ("destroy" in client) client.destroy();
      else if ("disconnect" in client) await client.disconnect();
      else client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

// It would tell of every script that a server does not know yet.
Logger.init("off");

/** A request whose answer is lost is not sent again. */
export const ONCE = { autoResendUnfulfilledCommands: false, retryDelayOnFailover: 0 };

/** Milliseconds that glide itself waits for an answer, and for a connection: no reason for a test to fail. */
const PATIENCE = 60_000;
const PATIENT = {
  requestTimeout: PATIENCE,
  advancedConfiguration: { connectionTimeout: PATIENCE },
};

export const clients: Readonly<Record<string, () => Promise<Opened>>> = {
  async "ioredis, one node"() {
    const server = await startRedis();
    return opened(server, server.port, new Redis(server.port, ONCE));
  },
  async "node-redis, one node"() {
    const server = await startRedis();
    const client = createClient({ url: server.url });
    client.on("error", () => {});
    await client.connect();
    return opened(server, server.port, client);
  },
  async "ioredis, a cluster"() {
    const cluster = await startCluster();
    const nodes = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
    return opened(cluster, cluster.ports[0] as number, new Cluster(nodes, ONCE));
  },
  async "node-redis, a cluster"() {
    const cluster = await startCluster();
    const client = createCluster({ rootNodes: cluster.urls.map((url) => ({ url })) });
    client.on("error", () => {});
    await client.connect();
    return opened(cluster, cluster.ports[0] as number, client);
  },
  async "valkey-glide, one node"() {
    const server = await startRedis();
    const addresses = [{ host: "127.0.0.1", port: server.port }];
    return opened(server, server.port, await GlideClient.createClient({ addresses, ...PATIENT }));
  },
  async "valkey-glide, a cluster"() {
    const cluster = await startCluster();
    const addresses = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
    const client = await GlideClusterClient.createClient({ addresses, ...PATIENT });
    return opened(cluster, cluster.ports[0] as number, client);
  },
};
