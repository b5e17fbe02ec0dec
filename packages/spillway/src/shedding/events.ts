import type { Priority } from "./priority.ts";

/** What happens to a shedder, for logs and metrics. */
export type ShedderEvent =
  /** Work was refused; in shadow it was started all the same. */
  | {
      readonly type: "shed";
      readonly shedder: string;
      readonly priority: Priority;
      readonly cause: Cause;
      readonly shadow: boolean;
    }
  /** It has begun to refuse work, or has ended to. */
  | { readonly type: "overloaded" | "recovered"; readonly shedder: string }
  /** A signal, or a `cap`, threw or told no number: it is passed over until it tells one again. */
  | { readonly type: "signal failed"; readonly shedder: string; readonly error: Error };

/**
 * Why work was refused.
 *
 * - `share`: its priority, or its cohort in it, is not among what there is room for.
 * - `waited`: its turn did not come while work waited for long.
 * - `late`: its deadline passed before its turn came.
 * - `full`: too much waits already.
 * - `in flight`: a fleet has as much in flight as its priority leaves it.
 * - `blocked`: somebody has blocked the fleet's budget by hand.
 * - `unavailable`: a fleet's store gave no answer, and `whenUnavailable` is `"closed"`.
 */
export type Cause = "share" | "waited" | "late" | "full" | "in flight" | "blocked" | "unavailable";

/** Is told what happens. What it throws, or rejects with, is ignored. */
export type OnShedderEvent = (event: ShedderEvent) => unknown;
