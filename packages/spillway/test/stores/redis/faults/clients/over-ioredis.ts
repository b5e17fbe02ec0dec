import { Cluster, Redis } from "ioredis";
import type { Opened } from "../../../faults/clients/opened.ts";
import { addresses, host, opened } from "./over.ts";
import type { Target } from "./target.ts";

export function overIoRedis(target: Target): Opened {
  const client = ioRedis(target);
  return opened(client, { close: () => client.disconnect() });
}

/** What it would send again by itself would be charged twice. */
const ONCE = { autoResendUnfulfilledCommands: false };

function ioRedis(target: Target): Redis | Cluster {
  switch (target.sort) {
    case "server": {
      const { sort: _, silence, ...place } = target;
      const patience = silence === undefined ? {} : { socketTimeout: silence };
      return new Redis({ host, ...place, ...patience, ...ONCE });
    }
    case "cluster":
      return cluster(target);
    case "sentinel":
      return new Redis({ sentinels: addresses(target.ports), name: target.name, ...ONCE });
  }
}

function cluster({ sort: _, ports, ...user }: Target & { sort: "cluster" }): Cluster {
  return new Cluster(addresses(ports), {
    redisOptions: { ...ONCE, ...user },
    retryDelayOnFailover: 0,
  });
}
