import type { Limit } from "../../../src/limits/core/index.ts";
import type { Client } from "./faults/clients/connections.ts";

/** What a process is to do that may hold units: ask of a limit, through a client of its own. */
export type LentErrand = {
  readonly client: Client;
  readonly limit: Limit;
  /** Default: `all`. */
  readonly key?: string;
};
