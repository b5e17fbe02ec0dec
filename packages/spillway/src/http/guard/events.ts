import type { Decision } from "../../limits/core/index.ts";

/** What happens to a route's limits, for logs and metrics. */
export type RouteEvent<R> =
  /** A request was refused; in shadow it was served all the same. */
  | {
      readonly type: "refused";
      readonly request: R;
      readonly decision: Decision;
      readonly shadow: boolean;
    }
  /** A function of the route threw or rejected, or returned what can't be used. */
  | {
      readonly type: "failed" | "timed out";
      readonly request: R;
      /** What it was to find, such as `key`; `store` where the store failed. */
      readonly field: string;
      readonly error: unknown;
    }
  /** What was really used could not be settled: it stays as it was taken. */
  | {
      readonly type: "not settled";
      readonly request: R;
      readonly limit: string;
      readonly error: unknown;
    };

/** Receives what happens; what it throws, or rejects with, is ignored. */
export type OnRouteEvent<R> = (event: RouteEvent<R>) => unknown;
