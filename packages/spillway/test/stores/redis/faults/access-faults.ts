/** What a server that is well does not let clients do. */
import { command } from "../../../servers/command.ts";
import { LOOPBACK } from "../../../servers/ports.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import type { Phase } from "../../faults/clients/protocol.ts";
import { asking, askings, BUCKET, degradedIn, isCutOff, PATIENT } from "../../faults/fault.ts";
import { clientsOf, directly, type RedisFault, type RedisScene } from "./fault.ts";

const USER = "limiter";
const RIGHT = "right";

function restricted(...takesAway: readonly (readonly string[])[]): RedisFault["stage"] {
  return async (used) => {
    const { port } = used.use(await startRedis());
    const grant = () =>
      command(port, "ACL", "SETUSER", USER, "reset", "on", `>${RIGHT}`, "~*", "+@all");
    await grant();
    return {
      ...clientsOf({ sort: "server", port, username: USER, password: RIGHT }),
      direct: directly({ sort: "server", port }),
      strike: async () => {
        for (const parts of takesAway) await command(port, ...parts);
      },
      end: grant,
    };
  };
}

/** Some asks could not be charged, or were answered as ever. */
function isHindered(during: Phase): boolean {
  const told = during.tallies.reduce((sum, tally) => sum + tally.told, 0);
  return degradedIn(during) >= 200 || told >= 200;
}

/** @param tell Changes the server that is used. */
function one(does: (tell: (...parts: readonly (string | number)[]) => Promise<unknown>) => Deeds) {
  return async (used: AsyncDisposableStack): Promise<RedisScene> => {
    const { port } = used.use(await startRedis());
    const clients = clientsOf({ sort: "server", port });
    return { ...clients, ...does((...parts) => command(port, ...parts)) };
  };
}

type Deeds = Pick<RedisScene, "strike" | "end">;

const LOOKS = [
  asking({ limit: BUCKET, operation: "check", inFlight: 3 }),
  asking({ limit: BUCKET, operation: "value", inFlight: 3 }),
];

export const ACCESS_FAULTS: readonly RedisFault[] = [
  {
    name: "the user may no longer run scripts (ACL)",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "undone",
    deadline: PATIENT,
    stage: restricted(["ACL", "SETUSER", USER, "-@all"]),
  },
  {
    name: "password changed and connections killed",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: restricted(
      ["ACL", "SETUSER", USER, "resetpass", ">other"],
      ["CLIENT", "KILL", "USER", USER],
    ),
  },
  {
    name: "`maxmemory` reached, `noeviction`",
    bound: "exact",
    felt: isHindered,
    outage: false,
    failed: "undone",
    deadline: PATIENT,
    stage: one((tell) => ({
      strike: () => tell("CONFIG", "SET", "maxmemory", 1),
      end: () => tell("CONFIG", "SET", "maxmemory", 0),
    })),
  },
];

export const READ_ONLY: RedisFault = {
  name: "the server becomes a read-only replica",
  bound: "exact",
  felt: isHindered,
  outage: false,
  failed: "undone",
  deadline: PATIENT,
  // The last process takes nothing.
  askings: (process) => (process < 2 ? askings(process) : LOOKS),
  stage: one((tell) => ({
    // Of a master that can't be reached: what it has, it keeps.
    strike: () => tell("REPLICAOF", LOOPBACK, 1),
    end: () => tell("REPLICAOF", "NO", "ONE"),
  })),
};
