/**
 * Creates clients of Redis that fit a store: a command that is not answered now is not retried
 * later.
 */
import { Cluster, Redis } from "ioredis";
import type { RedisLocation, SentinelAccess } from "../places/index.ts";

export type IoRedisOrCluster = Redis | Cluster;

/** The longest pause between two attempts to connect, in milliseconds. */
export const LONGEST_PAUSE = 1000;

const pause = (attempt: number): number => Math.min(50 * attempt, LONGEST_PAUSE);

/** Settings of every connection. */
const CONNECTION = {
  connectionName: "spillway",
  connectTimeout: 2000,
  disconnectTimeout: 100,
  // A connection without data for this time is considered dead, and replaced.
  socketTimeout: 2000,
  maxLoadingRetryTime: LONGEST_PAUSE,
  // Commands in flight when a connection broke may have been executed, so they are not sent again.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
} as const;

/** Settings of a connection to a single server. */
const ALONE = {
  ...CONNECTION,
  retryStrategy: pause,
  // The store itself waits until the client is ready, up to its deadline.
  enableOfflineQueue: false,
  // The master has become a replica: the next connection finds the new master.
  reconnectOnError: ({ message }: Error) => message.includes("READONLY"),
} as const;

/** Creates a client. It connects at once, and again whenever the connection is lost. */
export function redisClient(place: RedisLocation, sentinels: SentinelAccess): IoRedisOrCluster {
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
    // After a planned failover the old master still reports itself as master for some 11 s. Only
    // the sentinels report the new one.
    failoverDetector: true,
  });
}

function clusterClient(place: RedisLocation & { readonly topology: "cluster" }): Cluster {
  return new Cluster([...place.nodes], {
    redisOptions: { ...CONNECTION, ...accessOf(place) },
    clusterRetryStrategy: pause,
    // Holds commands while a node of a ready cluster is being connected.
    enableOfflineQueue: true,
    maxRedirections: 5,
    // Commands that may have been executed are not sent again. A TRYAGAIN has executed nothing.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 10,
    // Certificates are issued to names, so a name must not be resolved to an address.
    ...(place.tls && { dnsLookup: (name, found) => found(null, name) }),
  });
}

function accessOf({ tls, username, password }: RedisLocation) {
  return {
    ...(tls && { tls: {} }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

function sentinelAccess({ tls }: RedisLocation, { username, password }: SentinelAccess) {
  return {
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
  };
}
