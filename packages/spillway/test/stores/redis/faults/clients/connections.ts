import { GlideClient, GlideClusterClient, Logger } from "@valkey/valkey-glide";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster, createSentinel } from "redis";
import { type RedisClient, redisStore } from "../../../../../src/stores/redis/index.ts";
import { LOOPBACK } from "../../../../servers/ports.ts";
import type { Opened } from "../../../faults/clients/opened.ts";

/** Where a client connects to; ports are of this machine. */
export type Target =
  | {
      readonly sort: "server";
      readonly port: number;
      readonly username?: string;
      readonly password?: string;
      /** Milliseconds of silence after which a client gives a connection up. Default: never. */
      readonly silence?: number;
    }
  | { readonly sort: "cluster"; readonly ports: readonly number[] }
  | { readonly sort: "sentinel"; readonly ports: readonly number[]; readonly name: string };

/** The client library. */
export type Make = "ioredis" | "node-redis" | "valkey-glide";

/** A client that is to be opened. */
export type Client = { readonly make: Make; readonly target: Target };

/** Milliseconds that node-redis tries to reach a dead node of a cluster before it looks for others. */
const REDISCOVERY = 500;

/** Milliseconds until node-redis connects again, where that has to be said. */
const RECONNECT = 100;

/** Makes a real client, with the settings that it comes with where these will do. */
export async function openClient({ make, target }: Client): Promise<Opened> {
  if (make === "ioredis") return overIoRedis(target);
  return make === "node-redis" ? overNodeRedis(target) : overGlide(target);
}

/** Takes a client, how it is connected where it does not do so by itself, and how it is closed. */
function opened(
  client: RedisClient,
  { connect = async () => {}, close }: Pick<Opened, "close"> & Partial<Opened>,
): Opened {
  return {
    store: (options) => redisStore(client, options),
    connect,
    transact: () => Promise.reject(new Error("Redis has no transactions to join")),
    close,
  };
}

const host = LOOPBACK;
const addresses = (ports: readonly number[]) => ports.map((port) => ({ host, port }));
const urls = (ports: readonly number[]) =>
  ports.map((port) => ({ url: `redis://${host}:${port}` }));

function overIoRedis(target: Target): Opened {
  const client = ioRedis(target);
  return opened(client, { close: () => client.disconnect() });
}

/** What it would send again by itself would be charged twice. */
const ONCE = { autoResendUnfulfilledCommands: false };
const CLUSTER = { redisOptions: ONCE, retryDelayOnFailover: 0 };

function ioRedis(target: Target): Redis | Cluster {
  switch (target.sort) {
    case "server": {
      const { sort: _, silence, ...place } = target;
      const patience = silence === undefined ? {} : { socketTimeout: silence };
      return new Redis({ host, ...place, ...patience, ...ONCE });
    }
    case "cluster":
      return new Cluster(addresses(target.ports), CLUSTER);
    case "sentinel":
      return new Redis({ sentinels: addresses(target.ports), name: target.name, ...ONCE });
  }
}

function overNodeRedis(target: Target): Opened {
  const client = nodeRedis(target);
  return opened(client, { connect: () => client.connect(), close: () => client.destroy() });
}

function nodeRedis(target: Target) {
  switch (target.sort) {
    case "server": {
      const { port, username, password, silence } = target;
      const named = username === undefined ? {} : { username, password: password ?? "" };
      return createClient({ ...named, socket: { host, port, ...patienceOf(silence) } });
    }
    case "cluster":
      return createCluster({
        rootNodes: urls(target.ports),
        topologyRefreshOnReconnectionAttemptStrategy: REDISCOVERY,
      });
    case "sentinel":
      return createSentinel({
        name: target.name,
        sentinelRootNodes: addresses(target.ports),
      });
  }
}

/** Left to itself, node-redis does not connect again after such a silence. */
function patienceOf(silence: number | undefined) {
  if (silence === undefined) return {};
  return { socketTimeout: silence, reconnectStrategy: RECONNECT };
}

// It would tell of every script that a server does not know yet.
Logger.init("off");

/** Milliseconds that glide itself waits for an answer: the store's deadline comes first. */
const PATIENT = { requestTimeout: 10_000 };

async function overGlide(target: Target): Promise<Opened> {
  const client = await glide(target);
  return opened(client, { close: () => client.close() });
}

function glide(target: Target): Promise<GlideClient | GlideClusterClient> {
  if (target.sort === "server") {
    const { port, username, password = "" } = target;
    const named = username === undefined ? {} : { credentials: { username, password } };
    return GlideClient.createClient({ addresses: addresses([port]), ...named, ...PATIENT });
  }
  if (target.sort === "sentinel") throw new Error("valkey-glide does not ask sentinels");
  return GlideClusterClient.createClient({ addresses: addresses(target.ports), ...PATIENT });
}
