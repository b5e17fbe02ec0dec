/** What happens when somebody else keeps something under our names. */
import { deepStrictEqual } from "node:assert/strict";
import { command, commands } from "../../../servers/command.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import type { Phase, Tally } from "../../faults/clients/protocol.ts";
import { asking, askings, BUCKET, LOG, PATIENT } from "../../faults/fault.ts";
import { clientsOf, logKey, type RedisFault, stateKey } from "./fault.ts";

/** Whose names are taken. */
export const VICTIM = "victim";

/** The key of a bucket's state, and that of a log's entries. */
const STATE = stateKey(BUCKET, VICTIM);
const ENTRIES = logKey(VICTIM);

const LOOK = [
  ["LRANGE", STATE, 0, -1],
  ["GET", ENTRIES],
  ["PTTL", STATE],
  ["PTTL", ENTRIES],
];
const THEIRS = [["theirs"], "theirs", -1, -1];

const isAnswered = ({ asked, degraded, asking }: Tally) =>
  asking.key === VICTIM ? (degraded.refused.unavailable ?? 0) >= 50 : asked >= 50;

export const FOREIGN_KEYS: RedisFault = {
  name: "a key of ours holds something else",
  bound: "exact",
  felt: ({ tallies }: Phase) => tallies.every(isAnswered),
  outage: false,
  failed: "undone",
  deadline: PATIENT,
  askings: (process) => [
    ...askings(process),
    // One by one, which is a way of its own through the script; and together with all others.
    asking({ limit: BUCKET, key: VICTIM, inFlight: 2, together: 1 }),
    asking({ limit: BUCKET, key: VICTIM, inFlight: 2 }),
    asking({ limit: LOG, key: VICTIM, inFlight: 2, store: Math.min(process, 1) }),
  ],
  stage: async (used) => {
    const { port } = used.use(await startRedis());
    return {
      ...clientsOf({ sort: "server", port }),
      strike: async () => {
        // In one step, for ours come back at any time.
        await commands(port, [
          ["RPUSH", "theirs", "theirs"],
          ["RENAME", "theirs", STATE],
          ["SET", ENTRIES, "theirs"],
        ]);
      },
      end: async () => {
        deepStrictEqual(await commands(port, LOOK), THEIRS);
        await command(port, "DEL", STATE, ENTRIES);
      },
    };
  },
};
