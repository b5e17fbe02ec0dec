import type { Decision } from "../../limits/core/index.ts";

/** An event of a route's limits, for logs and metrics. */
export type RouteEvent<R> =
  /** A request was refused. If the route or the limit is in shadow mode, it was served. */
  | {
      readonly type: "refused";
      readonly request: R;
      readonly decision: Decision;
      readonly shadow: boolean;
    }
  /**
   * A function of the route or the store threw, rejected, timed out, or returned an unusable value.
   */
  | {
      readonly type: "failed" | "timed out";
      readonly request: R;
      /** The option that failed, such as `key`; `store` if the store failed. */
      readonly field: string;
      readonly error: unknown;
    }
  /** The units really used could not be settled. The units taken stay charged. */
  | {
      readonly type: "not settled";
      readonly request: R;
      readonly limit: string;
      readonly error: unknown;
    };

/** Receives events. Whatever it throws, or rejects with, is ignored. */
export type OnRouteEvent<R> = (event: RouteEvent<R>) => unknown;
