import type { Priority } from "../internal/index.ts";
import type { SpillwayError } from "../limits/core/index.ts";

/** Something that happened in a shedder, for logs and metrics. */
export type ShedderEvent =
  /** Work was refused. In shadow mode it was started all the same. */
  | {
      readonly type: "shed";
      readonly shedder: string;
      readonly priority: Priority;
      readonly cause: ShedCause;
      readonly shadow: boolean;
    }
  /**
   * From now on only a share of the work is admitted, or all of it again. An adaptive shedder
   * becomes overloaded after three windows in a row with lost work.
   */
  | { readonly type: "overloaded" | "recovered"; readonly shedder: string }
  /** A signal or a `cap` threw or returned no valid number. It is ignored until it returns one. */
  | { readonly type: "signal failed"; readonly shedder: string; readonly error: Error }
  /**
   * A value given for work is invalid and counts as missing. Reported once for each field; on the
   * console if there is no listener.
   */
  | { readonly type: "bad work"; readonly shedder: string; readonly error: SpillwayError };

/**
 * Why work was refused.
 *
 * - `share`: there is no room for its priority, or for its cohort within the priority.
 * - `waited`: its turn did not come in time.
 * - `late`: its deadline passed before its turn came.
 * - `full`: too much work waits already.
 * - `withdrawn`: its signal aborted, because the caller no longer waits.
 * - `in flight`: the fleet has as much work in flight as is allowed for its priority.
 * - `blocked`: the fleet's budget was blocked explicitly.
 * - `unavailable`: the fleet's store did not answer, and `whenUnavailable` is `"closed"`.
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
 * Receives events. Errors that it throws or rejects with are ignored.
 *
 * Events that it causes itself before it returns, for example by another call, are not reported.
 */
export type OnShedderEvent = (event: ShedderEvent) => unknown;
