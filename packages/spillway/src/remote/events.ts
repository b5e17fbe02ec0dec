import type { WhenUnavailable } from "../core/index.ts";

export { tellSafely } from "../core/index.ts";

/** What happens to a store across a network, for logs and metrics. */
export type StoreEvent =
  /** A request failed or was late; its calls were answered without the store. */
  | {
      readonly type: "failed";
      readonly node: string;
      readonly error: Error;
      readonly calls: number;
    }
  /** After failures in a row a node is asked no more, but for one probe every `pause` milliseconds. */
  | {
      readonly type: "paused";
      readonly node: string;
      readonly failures: number;
      readonly pause: number;
    }
  /** A probe succeeded: the node is asked again. */
  | { readonly type: "resumed"; readonly node: string }
  /** An ask was answered without the store. */
  | {
      readonly type: "degraded";
      readonly limit: string;
      readonly whenUnavailable: WhenUnavailable;
      readonly ok: boolean;
    };

/** Is told what happens. What it throws, or rejects with, is ignored. */
export type OnEvent = (event: StoreEvent) => unknown;
