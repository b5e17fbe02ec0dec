/** What happens to servers that stand in for each other. */
import { type RedisCluster, startCluster } from "../../../servers/redis-cluster.ts";
import { startSentinel } from "../../../servers/sentinel.ts";
import { BUCKET, type Fault, goesOn, isCutOff, KEY, type Scene, stateKey } from "./fault.ts";

type Deeds = Pick<Scene, "strike" | "end">;

/** @param does What to do with the slot that all is kept in. */
function cluster(does: (cluster: RedisCluster, slot: number) => Deeds): Fault["stage"] {
  return async (used) => {
    const servers = used.use(await startCluster());
    const slot = await servers.slotOf(stateKey(BUCKET, KEY));
    return { target: { sort: "cluster", ports: servers.ports }, ...does(servers, slot) };
  };
}

export const GROUP_FAULTS: readonly Fault[] = [
  {
    name: "Sentinel: master killed, its replica takes over",
    bound: "one more capacity",
    felt: isCutOff,
    outage: true,
    stage: async (used) => {
      const group = used.use(await startSentinel());
      return {
        target: { sort: "sentinel", ports: group.ports, name: group.name },
        strike: () => group.failover(),
      };
    },
  },
  {
    name: "cluster: master of the slot killed, its replica takes over",
    bound: "one more capacity",
    felt: isCutOff,
    outage: true,
    stage: cluster((servers, slot) => ({ strike: () => servers.failover(slot) })),
  },
  {
    name: "cluster: planned failover of the slot's master",
    bound: "exact",
    felt: goesOn,
    outage: false,
    resends: true,
    stage: cluster((servers, slot) => ({ strike: () => servers.gracefulFailover(slot) })),
  },
  {
    name: "cluster: the slot moves to another master",
    bound: "exact",
    felt: goesOn,
    outage: false,
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
