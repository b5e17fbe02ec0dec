/** How faults are done to Postgres, and seen there. */
import { deepStrictEqual } from "node:assert/strict";
import { query, type Reachable } from "../../../servers/postgres/query.ts";
import { type Fault, isCutOff, type Scene, type Subject } from "../../faults/fault.ts";
import { type Client, openClient } from "./clients/connections.ts";

export type PostgresFault = Fault<Client>;

export type PostgresScene = Scene<Client>;

export const POSTGRES: Subject<Client> = {
  open: openClient,
  program: new URL("./clients/client-process.ts", import.meta.url),
};

/** What an outage is like by default. */
export const OUTAGE = {
  bound: "exact",
  felt: isCutOff,
  outage: true,
  failed: "perhaps charged",
  // A busy machine takes its time to make connections, and to compile functions on each of them.
  deadline: 250,
} as const;

/** Who asks. */
const DRIVERS: readonly Client["driver"][] = ["node-postgres", "postgres.js"];

type Asked = Pick<PostgresScene, "clients" | "direct" | "healed">;

/** Clients of a server, one over each driver, by its own address unless another one is said. */
export function clientsOf(server: Reachable, url = server.url): Asked {
  return {
    clients: DRIVERS.map((driver) => ({ driver, url })),
    direct: { driver: "node-postgres", url: server.url },
    healed: () => expectNoneIdle(server),
  };
}

/** Nobody has begun a transaction, and forgotten it. */
export async function expectNoneIdle(server: Reachable): Promise<void> {
  const text = "select query from pg_stat_activity where state like 'idle in transaction%'";
  deepStrictEqual(await query(server, text), []);
}
