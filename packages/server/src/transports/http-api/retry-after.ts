import { refusalHeaders } from "spillway/core";

/** The headers of a refusal that is no limit's: when to come back, in milliseconds from now. Pure. */
export const retryAfterHeader = (ms: number): Readonly<Record<string, string>> =>
  refusalHeaders({ retryAfter: ms });
