/** What happens while somebody else's transaction holds a row of ours. */
import { Client } from "pg";
import { plainBudgetId } from "../../../../src/internal/index.ts";
import { planFor } from "../../../../src/limits/algorithms/index.ts";
import type { Phase, Tally } from "../../faults/clients/protocol.ts";
import { asking, askings, BUCKET, KEY, LIMITS } from "../../faults/fault.ts";
import { clientsOf, OUTAGE, type PostgresFault } from "./fault.ts";
import { migrated } from "./migrated.ts";

/** Whose row it is. */
const VICTIM = "victim";

const ROW = plainBudgetId({ plan: planFor(BUCKET, LIMITS[BUCKET]), key: VICTIM });

/** Others are answered by the store, and some who want the row are not. */
const isAnswered = ({ asking: { key }, admitted, refused, degraded }: Tally) =>
  key === KEY ? admitted + (refused.limited ?? 0) >= 50 : (degraded.refused.unavailable ?? 0) >= 3;

const LOCKED: PostgresFault = {
  ...OUTAGE,
  name: "a row is locked by another transaction",
  felt: ({ tallies }: Phase) => tallies.every(isAnswered),
  outage: false,
  // On a busy machine as well, only those who want the row are to miss it.
  deadline: 4000,
  stage: async (used) => {
    const server = used.use(await migrated());
    const somebody = new Client({ connectionString: server.url });
    used.defer(() => somebody.end());
    await somebody.connect();
    return {
      ...clientsOf(server),
      strike: async () => {
        await somebody.query("begin");
        await somebody.query("select from spillway.budgets where id = $1 for update", [ROW]);
      },
      end: () => somebody.query("rollback"),
    };
  },
};

export const LOCKED_ROW: PostgresFault = {
  ...LOCKED,
  failed: "undone",
  askings: (process) => [
    ...askings(process),
    asking({ limit: BUCKET, key: VICTIM, inFlight: 2, together: 1 }),
    asking({ limit: BUCKET, key: VICTIM, inFlight: 2, store: 2 }),
  ],
};

/** They hold what else they have asked for while they wait for the row, if only for a while. */
export const LOCKED_ROW_AMONG_OTHERS: PostgresFault = {
  ...LOCKED,
  name: `${LOCKED.name}, and asked for together with others`,
  askings: (process) => [
    ...askings(process),
    asking({ limit: BUCKET, key: VICTIM, inFlight: 2, pause: 50 }),
  ],
};
