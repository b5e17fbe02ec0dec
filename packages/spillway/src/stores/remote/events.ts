import type { WhenUnavailable } from "../../limits/core/index.ts";

/** What happens to a store across a network, for logs and metrics. */
export type StoreEvent =
  /** A request failed or was late; its calls were answered without the store. */
  | {
      readonly type: "failed";
      readonly node: string;
      readonly error: Error;
      readonly calls: number;
    }
  /**
   * An answer came `ms` milliseconds after its request was sent, when nobody waited for it any more, for the
   * store's deadline is `deadline`: the store is slow, and not away.
   */
  | {
      readonly type: "late";
      readonly node: string;
      readonly ms: number;
      readonly deadline: number;
    }
  /** After failures in a row a node is asked no more, but for one probe every `pause` milliseconds. */
  | {
      readonly type: "paused";
      readonly node: string;
      /** In a cluster, where all failures were of one slot: only what is kept there is asked no more. */
      readonly slot?: number;
      readonly failures: number;
      readonly pause: number;
    }
  /** A probe succeeded: the node, or the slot that was paused, is asked again. */
  | { readonly type: "resumed"; readonly node: string; readonly slot?: number }
  /**
   * The arithmetic of a node and of this process disagree: its calls were refused, whatever their
   * limits say of outages. It is a fault of the program, such as a schema of another version.
   */
  | {
      readonly type: "disagreed";
      readonly node: string;
      readonly error: Error;
      readonly calls: number;
    }
  /**
   * More was asked in this process than may wait to be sent to a node: so many calls were refused,
   * whatever their limits say of outages, and `most` wait.
   */
  | {
      readonly type: "overflowed";
      readonly node: string;
      readonly calls: number;
      readonly most: number;
    }
  /**
   * A lease was not given back, for too many releases wait for a store to confirm them: it is in
   * flight until its `ttl` is over.
   */
  | { readonly type: "unreleased"; readonly limit: string }
  /** A call was answered without the store. */
  | {
      readonly type: "degraded";
      readonly limit: string;
      readonly whenUnavailable: WhenUnavailable;
      readonly ok: boolean;
    }
  /** Units of a limit were lent to this process, which now holds so many of that key. */
  | {
      readonly type: "drawn";
      readonly limit: string;
      readonly units: number;
      readonly held: number;
    }
  /** Units that were lent and not used go back to the store. */
  | { readonly type: "given back"; readonly limit: string; readonly units: number }
  /** Units that were lent have ended unused: their time is over. */
  | { readonly type: "expired"; readonly limit: string; readonly units: number };

/** Receives what happens. What it throws, or rejects with, is ignored. */
export type OnEvent = (event: StoreEvent) => unknown;
