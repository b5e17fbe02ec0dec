import { createClient, createCluster, createSentinel } from "redis";
import type { Opened } from "../../../faults/clients/opened.ts";
import { addresses, host, opened } from "./over.ts";
import type { Target, User } from "./target.ts";

/** Milliseconds that node-redis tries to reach a dead node of a cluster before it looks for others. */
const REDISCOVERY = 500;

/** Milliseconds until node-redis connects again, where that has to be said. */
const RECONNECT = 100;

const urls = (ports: readonly number[]) =>
  ports.map((port) => ({ url: `redis://${host}:${port}` }));

export function overNodeRedis(target: Target): Opened {
  const client = nodeRedis(target);
  return opened(client, { connect: () => client.connect(), close: () => client.destroy() });
}

function nodeRedis(target: Target) {
  switch (target.sort) {
    case "server": {
      const { port, silence } = target;
      return createClient({ ...userOf(target), socket: { host, port, ...patienceOf(silence) } });
    }
    case "cluster":
      return createCluster({
        rootNodes: urls(target.ports),
        defaults: userOf(target),
        topologyRefreshOnReconnectionAttemptStrategy: REDISCOVERY,
      });
    case "sentinel":
      return createSentinel({
        name: target.name,
        sentinelRootNodes: addresses(target.ports),
      });
  }
}

function userOf({ username, password }: User) {
  return username === undefined ? {} : { username, password: password ?? "" };
}

/** Left to itself, node-redis does not connect again after such a silence. */
function patienceOf(silence: number | undefined) {
  if (silence === undefined) return {};
  return { socketTimeout: silence, reconnectStrategy: RECONNECT };
}
