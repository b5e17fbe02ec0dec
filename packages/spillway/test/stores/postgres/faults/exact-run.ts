import { type ExactRun, runExactly } from "../../faults/exact-run.ts";
import type { Client } from "./clients/connections.ts";
import { POSTGRES } from "./fault.ts";
import { type Isolation, isolated } from "./isolation.ts";
import { migrated } from "./migrated.ts";

const DRIVERS = ["node-postgres", "node-postgres", "postgres.js", "postgres.js"] as const;

/** A row that everybody wants is had a few hundred times in a second. */
const SIZE = { units: 40, pace: 0.1 };

/** Lets four processes ask for all limits at once, in transactions and outside, so many milliseconds. */
export async function runOnPostgres(isolation: Isolation, ms: number): Promise<ExactRun> {
  await using server = await migrated();
  const url = isolated(server.url, isolation);
  const clients: Client[] = DRIVERS.map((driver) => ({ driver, url }));
  return await runExactly(
    { clients, ms, size: SIZE, inFlight: 32, together: 16, transactions: 1 },
    POSTGRES,
  );
}
