import type { Limit } from "../../../src/core/index.ts";

/** What a process is to do that holds units: ask of a limit of the server at that port, for so long. */
export type LentErrand = {
  readonly port: number;
  readonly limit: Limit;
  readonly forMs: number;
};
