/** What happens to the node that a slot goes to, while the slot is half moved. */
import { command } from "../../../servers/command.ts";
import { type SlotMove, startCluster } from "../../../servers/redis-cluster.ts";
import type { RedisNode } from "../../../servers/redis-node.ts";
import { BUCKET, goesOn, KEY } from "../../faults/fault.ts";
import { clientsOf, type RedisFault, type RedisScene, stateKey } from "./fault.ts";
import { FORGIVING, isHindered } from "./group-faults.ts";

type Deeds = Pick<RedisScene, "strike" | "again" | "end">;

/** What befalls the node that a slot goes to, while all its keys are there and clients are sent there one by one. */
type OnTheWay = (target: RedisNode) => Deeds;

/** A slot that stays half moved while something befalls the node that it goes to. */
function halfMoved(befalls: OnTheWay): RedisFault["stage"] {
  return async (used) => {
    const servers = used.use(await startCluster({ replicas: 0, args: FORGIVING }));
    const slot = await servers.slotOf(stateKey(BUCKET, KEY));
    let move: SlotMove | undefined;
    let deeds: Deeds | undefined;
    return {
      ...clientsOf({ sort: "cluster", ports: servers.ports }),
      strike: async () => {
        move = await servers.beginMove(slot);
        await move.moveKeys();
        deeds = befalls(move.target);
        await deeds.strike();
      },
      again: async () => deeds?.again?.(),
      end: async () => {
        await deeds?.end?.();
        await move?.finish();
      },
    };
  };
}

const dies: OnTheWay = (target) => ({ strike: () => target.kill(), end: () => target.restart() });

const isCutOver: OnTheWay = ({ port }) => {
  const cut = () => command(port, "CLIENT", "KILL", "TYPE", "normal");
  return { strike: cut, again: cut };
};

const stops: OnTheWay = (target) => {
  let goOn = () => {};
  let stopped: Promise<void>;
  return {
    strike: async () => {
      stopped = target.haltWhile(
        () =>
          new Promise<void>((resolve) => {
            goOn = resolve;
          }),
      );
    },
    end: async () => {
      goOn();
      await stopped;
    },
  };
};

/** In every one, the source redirects each call with ASK. */
export const MOVING_FAULTS: readonly RedisFault[] = [
  {
    name: "cluster: a slot is half moved, and the node that it goes to is killed (-9)",
    bound: "one more capacity",
    felt: isHindered,
    outage: false,
    failed: "perhaps charged",
    stage: halfMoved(dies),
  },
  {
    name: "cluster: a slot is half moved, and connections to where it goes are cut, over and over",
    bound: "exact",
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    stage: halfMoved(isCutOver),
  },
  {
    name: "cluster: a slot is half moved, and the node that it goes to stops",
    bound: "exact",
    felt: isHindered,
    outage: false,
    failed: "perhaps charged",
    stage: halfMoved(stops),
  },
];
