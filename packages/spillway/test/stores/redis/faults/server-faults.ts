/** What happens to one server. */
import { command } from "../../../servers/command.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import type { Phase } from "../../faults/clients/protocol.ts";
import { asking, askings, BUCKET, goesOn, isCutOff, PATIENT } from "../../faults/fault.ts";
import { clientsOf, type RedisFault } from "./fault.ts";

function killed(persistence: boolean): RedisFault["stage"] {
  return async (used) => {
    const node = used.use(await startRedis({ persistence }));
    return {
      ...clientsOf({ sort: "server", port: node.port }),
      strike: () => node.kill("SIGKILL"),
      end: () => node.restart(),
    };
  };
}

function told(...parts: readonly string[]): RedisFault["stage"] {
  return async (used) => {
    const { port } = used.use(await startRedis());
    const tell = () => command(port, ...parts);
    return { ...clientsOf({ sort: "server", port }), strike: tell };
  };
}

const paused: RedisFault["stage"] = async (used) => {
  const { port } = used.use(await startRedis());
  return {
    ...clientsOf({ sort: "server", port }),
    strike: () => command(port, "CLIENT", "PAUSE", 3_600_000, "WRITE"),
    end: () => command(port, "CLIENT", "UNPAUSE"),
  };
};

/** A process refuses by itself. */
function hasUsedItsShare(during: Phase): boolean {
  return isCutOff(during) && during.tallies.every(({ degraded }) => degraded.refused.limited);
}

export const SERVER_FAULTS: readonly RedisFault[] = [
  {
    name: "killed (-9) and restarted, nothing on disk",
    bound: "one more capacity",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: killed(false),
  },
  {
    name: "killed (-9) and restarted, every write on disk",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: killed(true),
  },
  {
    name: "`SCRIPT FLUSH`, over and over",
    bound: "exact",
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    deadline: PATIENT,
    stage: async (used) => {
      const scene = await told("SCRIPT", "FLUSH")(used);
      return { ...scene, again: scene.strike };
    },
  },
  {
    name: "`FLUSHALL`",
    bound: "one more capacity",
    felt: goesOn,
    outage: false,
    failed: "perhaps charged",
    deadline: PATIENT,
    stage: told("FLUSHALL"),
  },
  {
    name: "`CLIENT PAUSE`",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    askings: (process) => {
      return [...askings(process), asking({ limit: BUCKET, operation: "value", inFlight: 1 })];
    },
    stage: paused,
  },
  {
    name: "`CLIENT PAUSE`, limits say `local`",
    bound: "exact",
    felt: hasUsedItsShare,
    outage: true,
    failed: "perhaps charged",
    whenUnavailable: "local",
    stage: paused,
  },
  {
    name: "killed (-9), nothing on disk, limits say `open`",
    bound: "one more capacity",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    whenUnavailable: "open",
    stage: killed(false),
  },
];
