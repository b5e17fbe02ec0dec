/** What happens to a server. */
import type { SchemaOptions } from "../../../../src/stores/postgres/schema.ts";
import { terminateAll } from "../../../servers/postgres/query.ts";
import type { Phase } from "../../faults/clients/protocol.ts";
import { degradedIn, isCutOff } from "../../faults/fault.ts";
import { clientsOf, OUTAGE, type PostgresFault } from "./fault.ts";
import { migrated } from "./migrated.ts";

function killed(options: SchemaOptions = {}): PostgresFault["stage"] {
  return async (used) => {
    const server = used.use(await migrated({ schema: options }));
    return {
      ...clientsOf(server),
      strike: () => server.kill(),
      end: () => server.restart(),
    };
  };
}

/** A process refuses by itself. */
function hasUsedItsShare(during: Phase): boolean {
  return isCutOff(during) && during.tallies.every(({ degraded }) => degraded.refused.limited);
}

export const SERVER_FAULTS: readonly PostgresFault[] = [
  {
    ...OUTAGE,
    name: "killed (-9) and restarted",
    stage: killed(),
  },
  {
    ...OUTAGE,
    name: "killed (-9) and restarted, an unlogged table",
    bound: "one more capacity",
    stage: killed({ unlogged: true }),
  },
  {
    ...OUTAGE,
    name: "killed (-9) and restarted, limits say `open`",
    whenUnavailable: "open",
    stage: killed(),
  },
  {
    ...OUTAGE,
    name: "killed (-9) and restarted, limits say `local`",
    felt: hasUsedItsShare,
    whenUnavailable: "local",
    stage: killed(),
  },
  {
    ...OUTAGE,
    name: "all connections terminated by an administrator, over and over",
    felt: (during) => degradedIn(during) >= 50,
    outage: false,
    stage: async (used) => {
      const server = used.use(await migrated());
      const strike = () => terminateAll(server);
      return { ...clientsOf(server), strike, again: strike };
    },
  },
];
