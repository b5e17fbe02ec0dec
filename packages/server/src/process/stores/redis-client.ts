/** Clients of Redis that fit a store: what is not answered now is not wanted later. */
import { Cluster, Redis } from "ioredis";
import type { RedisPlace, SentinelAccess } from "../places/index.ts";

export type RedisClient = Redis | Cluster;

/** The longest pause between two attempts to connect, in milliseconds. */
export const LONGEST_PAUSE = 1000;

const pause = (attempt: number): number => Math.min(50 * attempt, LONGEST_PAUSE);

/** Settings of every connection. */
const CONNECTION = {
  connectionName: "spillway",
  connectTimeout: 2000,
  disconnectTimeout: 100,
  // One that says nothing for so long is dead, whatever the network says: a new one is made.
  socketTimeout: 2000,
  maxLoadingRetryTime: LONGEST_PAUSE,
  // What was on its way when a connection broke may have been done: it is not sent again.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
} as const;

/** Settings of a connection that is alone. */
const ALONE = {
  ...CONNECTION,
  retryStrategy: pause,
  // The store itself waits until the client is ready, and no longer than its deadline.
  enableOfflineQueue: false,
  // A master that has become a replica: the next connection finds the new one.
  reconnectOnError: ({ message }: Error) => message.includes("READONLY"),
} as const;

/** Makes a client; it connects at once, and again whenever the connection is lost. */
export function redisClient(place: RedisPlace, sentinels: SentinelAccess): RedisClient {
  const { topology } = place;
  if (topology === "cluster") return clusterClient(place);
  const options = { ...ALONE, ...accessOf(place), db: place.db };
  if (topology === "node") return new Redis({ ...options, ...place.node });
  return new Redis({
    ...options,
    ...sentinelAccess(place, sentinels),
    sentinels: [...place.sentinels],
    name: place.master,
    sentinelRetryStrategy: pause,
    sentinelCommandTimeout: 1000,
    // After a planned failover the old master calls itself one for some 11 s: only sentinels know better.
    failoverDetector: true,
  });
}

function clusterClient(place: RedisPlace & { readonly topology: "cluster" }): Cluster {
  return new Cluster([...place.nodes], {
    redisOptions: { ...CONNECTION, ...accessOf(place) },
    clusterRetryStrategy: pause,
    // For what is asked while a node of a cluster that is ready is being connected to.
    enableOfflineQueue: true,
    maxRedirections: 5,
    // Nothing that may have been done is sent again; a TRYAGAIN did nothing.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 10,
    // Certificates are made out to names: a name is not to become an address.
    ...(place.tls && { dnsLookup: (name, found) => found(null, name) }),
  });
}

function accessOf({ tls, username, password }: RedisPlace) {
  return {
    ...(tls && { tls: {} }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

function sentinelAccess({ tls }: RedisPlace, { username, password }: SentinelAccess) {
  return {
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
  };
}
