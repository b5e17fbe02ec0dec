import type { WhenUnavailable } from "../../limits/core/index.ts";

/** Events of a store across a network, for logs and metrics. */
export type StoreEvent =
  /** A request failed or was late; its calls were answered without the store. */
  | {
      readonly type: "failed";
      readonly node: string;
      readonly error: Error;
      readonly calls: number;
    }
  /**
   * An answer came `ms` milliseconds after its request was sent, after its `deadline`: the store is
   * slow, not unavailable.
   */
  | {
      readonly type: "late";
      readonly node: string;
      readonly ms: number;
      readonly deadline: number;
    }
  /** After consecutive failures a node receives only one probe every `pause` milliseconds. */
  | {
      readonly type: "paused";
      readonly node: string;
      /** In a cluster, if all failures were of one slot: only that slot is paused. */
      readonly slot?: number;
      readonly failures: number;
      readonly pause: number;
    }
  /** A probe succeeded: the node, or the paused slot, is asked again. */
  | { readonly type: "resumed"; readonly node: string; readonly slot?: number }
  /**
   * The arithmetic of a node and of this process disagree, or a service rejects a request as
   * invalid. Its calls were refused, even by limits that admit during outages. It is a fault of the
   * program, such as a schema of another version.
   */
  | {
      readonly type: "disagreed";
      readonly node: string;
      readonly error: Error;
      readonly calls: number;
    }
  /**
   * More calls were made in this process than may wait for a node: `calls` were refused, even by
   * limits that admit during outages, and `most` wait.
   */
  | {
      readonly type: "overflowed";
      readonly node: string;
      readonly calls: number;
      readonly most: number;
    }
  /**
   * A lease was not released, because too many releases wait for confirmation. It is in flight
   * until its `ttl` is over.
   */
  | { readonly type: "unreleased"; readonly limit: string }
  /** A call was answered without the store. */
  | {
      readonly type: "degraded";
      readonly limit: string;
      readonly whenUnavailable: WhenUnavailable;
      readonly ok: boolean;
    }
  /** Units of a limit were lent to this process. `held` is the number it now holds of that key. */
  | {
      readonly type: "drawn";
      readonly limit: string;
      readonly units: number;
      readonly held: number;
    }
  /** Unused lent units go back to the store. */
  | { readonly type: "given back"; readonly limit: string; readonly units: number }
  /** Lent units expired unused. */
  | { readonly type: "expired"; readonly limit: string; readonly units: number };

/** Receives events. Errors that it throws, or rejects with, are ignored. */
export type OnEvent = (event: StoreEvent) => unknown;
