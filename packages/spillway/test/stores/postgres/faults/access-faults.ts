/** What a server that is well does not let clients do. */
import { query } from "../../../servers/postgres/query.ts";
import type { Phase } from "../../faults/clients/protocol.ts";
import { asking, askings, BUCKET, degradedIn, PATIENT } from "../../faults/fault.ts";
import { clientsOf, OUTAGE, type PostgresFault } from "./fault.ts";
import { install, migrated } from "./migrated.ts";

type Statements = { readonly strike: readonly string[]; readonly end: readonly string[] };

/** What an administrator tells the server. */
function told({ strike, end }: Statements): PostgresFault["stage"] {
  return async (used) => {
    const server = used.use(await migrated());
    const tell = async (statements: readonly string[]) => {
      for (const statement of statements) await query(server, statement);
    };
    return { ...clientsOf(server), strike: () => tell(strike), end: () => tell(end) };
  };
}

/** Some asks could not be charged, or were answered as ever. */
function isHindered(during: Phase): boolean {
  const answers = during.tallies.reduce((sum, tally) => sum + tally.told, 0);
  return degradedIn(during) >= 200 || answers >= 200;
}

export const ACCESS_FAULTS: readonly PostgresFault[] = [
  {
    ...OUTAGE,
    name: "the schema is missing, until `migrate` has run",
    bound: "one more capacity",
    stage: async (used) => {
      const server = used.use(await migrated());
      return {
        ...clientsOf(server),
        strike: () => query(server, "drop schema spillway cascade"),
        end: () => install(server),
      };
    },
  },
  {
    ...OUTAGE,
    name: "the schema is older than the program: a function is missing",
    failed: "undone",
    deadline: PATIENT,
    stage: told({
      strike: ["alter function spillway.v4_execute rename to v4_executed"],
      end: ["alter function spillway.v4_executed rename to v4_execute"],
    }),
  },
];

const LOOKS = [
  asking({ limit: BUCKET, operation: "check", inFlight: 3 }),
  asking({ limit: BUCKET, operation: "value", inFlight: 3 }),
];

export const READ_ONLY: PostgresFault = {
  ...OUTAGE,
  name: "the server becomes read-only",
  felt: isHindered,
  outage: false,
  failed: "undone",
  deadline: PATIENT,
  // The last process takes nothing.
  askings: (process) => (process === 0 ? askings(process) : LOOKS),
  stage: told({
    strike: ["alter system set default_transaction_read_only = on", "select pg_reload_conf()"],
    end: ["alter system reset default_transaction_read_only", "select pg_reload_conf()"],
  }),
};
