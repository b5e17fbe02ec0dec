import type { Limit } from "../../../src/limits/core/index.ts";

/** What a process is to do that holds units: ask of a limit, for so long. */
export type LentErrand = { readonly path: string; readonly limit: Limit };
