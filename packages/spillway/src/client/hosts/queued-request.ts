import type { Decision } from "../../limits/core/index.ts";
import type { WaitReason } from "../events.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import type { WaitingRequest } from "./waiting-line.ts";

/**
 * The permission to send a request now. `release` is called when the request and the body of its
 * response are over.
 */
export type Permit = { readonly start: RequestStart; readonly release: (() => void) | undefined };

/** A request that waits to be sent. */
export type QueuedRequest = WaitingRequest & {
  /** The instant until which it waits, by the scheduler's clock. */
  readonly deadline: number;
  /** Whether its caller has aborted it. It leaves the queue soon. */
  readonly isOver: boolean;
  /** Called when it may be sent. */
  go(permit: Permit): void;
  refuse(decision: Decision): void;
  fail(error: unknown): void;
  /**
   * Why it waits, and since when; undefined if it does not wait, or if the client has no `onEvent`.
   */
  waits?: WaitReason & { readonly since: number };
};
