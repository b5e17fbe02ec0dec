/** What happens to servers that stand in for each other. */
import { command } from "../../../servers/command.ts";
import { LOOPBACK } from "../../../servers/ports.ts";
import { type RedisCluster, startCluster } from "../../../servers/redis-cluster.ts";
import { startSentinel } from "../../../servers/sentinel.ts";
import type { Phase } from "../../faults/clients/protocol.ts";
import { BUCKET, degradedIn, goesOn, KEY, PATIENT } from "../../faults/fault.ts";
import {
  clientsOf,
  logKey,
  type RedisFault,
  type RedisScene,
  stateKey,
  WITHOUT_GLIDE,
} from "./fault.ts";

type Deeds = Pick<RedisScene, "strike" | "end">;

/** Milliseconds of silence that nodes forgive each other where nobody is to fail. */
export const FORGIVING = ["--cluster-node-timeout", "2500"];

/** @param does What to do with the slot that all is kept in. */
function cluster(
  does: (cluster: RedisCluster, slot: number) => Deeds,
  args: readonly string[] = FORGIVING,
): RedisFault["stage"] {
  return async (used) => {
    const servers = used.use(await startCluster({ args }));
    const slot = await servers.slotOf(stateKey(BUCKET, KEY));
    return { ...clientsOf({ sort: "cluster", ports: servers.ports }), ...does(servers, slot) };
  };
}

export const isHindered = (during: Phase): boolean => degradedIn(during) >= 200;

export const GROUP_FAULTS: readonly RedisFault[] = [
  {
    name: "Sentinel: master killed, its replica takes over",
    bound: "one more capacity",
    // How long it lasts, the servers decide: on a busy machine too short for a breaker to open.
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    stage: async (used) => {
      const group = used.use(await startSentinel());
      return {
        ...clientsOf({ sort: "sentinel", ports: group.ports, name: group.name }, WITHOUT_GLIDE),
        strike: () => group.failover(),
      };
    },
  },
  {
    name: "cluster: master of the slot killed, its replica takes over",
    bound: "one more capacity",
    // How long it lasts, the servers decide: on a busy machine too short for a breaker to open.
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    stage: cluster((servers, slot) => ({ strike: () => servers.failover(slot) }), []),
  },
  {
    name: "cluster: planned failover of the slot's master",
    bound: "exact",
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    stage: cluster((servers, slot) => ({ strike: () => servers.gracefulFailover(slot) })),
  },
  {
    name: "cluster: a log has moved with half of its slot, its state has not",
    bound: "exact",
    felt: isHindered,
    outage: false,
    failed: "perhaps charged",
    stage: cluster((servers, slot) => {
      let finish = async () => {};
      return {
        strike: async () => {
          const move = await servers.beginMove(slot);
          const { source, target } = move;
          const to = [LOOPBACK, target.port, logKey(KEY), 0, PATIENT];
          await command(source.port, "MIGRATE", ...to);
          finish = move.finish;
        },
        end: () => finish(),
      };
    }),
  },
  {
    name: "cluster: the slot moves to another master",
    bound: "exact",
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    stage: cluster((servers, slot) => {
      let finish = async () => {};
      return {
        strike: async () => {
          const move = await servers.beginMove(slot);
          await move.moveKeys();
          finish = move.finish;
        },
        end: () => finish(),
      };
    }),
  },
];
