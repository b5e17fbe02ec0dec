import type { Priority } from "../internal/index.ts";
import type { SpillwayError } from "../limits/core/index.ts";

/** What happens to a shedder, for logs and metrics. */
export type ShedderEvent =
  /** Work was refused; in shadow it was started all the same. */
  | {
      readonly type: "shed";
      readonly shedder: string;
      readonly priority: Priority;
      readonly cause: ShedCause;
      readonly shadow: boolean;
    }
  /** It has lost work for three windows in a row and lets in a share from now on, or all again. */
  | { readonly type: "overloaded" | "recovered"; readonly shedder: string }
  /** A signal, or a `cap`, threw or returned no number: it is ignored until it returns one again. */
  | { readonly type: "signal failed"; readonly shedder: string; readonly error: Error }
  /**
   * A value that was given for work could not be understood, and counted as not given. Reported
   * once for each field; on the console where nobody listens.
   */
  | { readonly type: "bad work"; readonly shedder: string; readonly error: SpillwayError };

/**
 * Why work was refused.
 *
 * - `share`: its priority, or its cohort in it, is not among what there is room for.
 * - `waited`: its turn did not come in time.
 * - `late`: its deadline passed before its turn came.
 * - `full`: too much waits already.
 * - `withdrawn`: its signal said that nobody waits for it any more.
 * - `in flight`: a fleet has as much in flight as its priority leaves it.
 * - `blocked`: somebody has blocked the fleet's budget by hand.
 * - `unavailable`: a fleet's store gave no answer, and `whenUnavailable` is `"closed"`.
 */
export type ShedCause =
  | "share"
  | "waited"
  | "late"
  | "full"
  | "withdrawn"
  | "in flight"
  | "blocked"
  | "unavailable";

/**
 * Receives what happens; what it throws, or rejects with, is ignored. What it causes itself before
 * it returns, as by asking again, is not reported.
 */
export type OnShedderEvent = (event: ShedderEvent) => unknown;
