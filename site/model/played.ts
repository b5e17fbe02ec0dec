/** What is recorded of a play. */
import type { Decision } from "spillway";

type Numbers = "capacity" | "remaining" | "retryAfter" | "resetAfter";

/** A decision, with its request. Times are milliseconds from the beginning. */
export type Played = Pick<Decision, Numbers | "ok"> & {
  readonly reason?: Decision["reason"];
  readonly at: number;
  readonly request: number;
  readonly attempt: number;
};

/** Units left from an instant on, in milliseconds from the beginning. */
export type Reading = { readonly at: number; readonly remaining: number };
