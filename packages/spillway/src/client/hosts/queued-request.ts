import type { Decision } from "../../limits/core/index.ts";
import type { WaitReason } from "../events.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import type { WaitingRequest } from "./waiting-line.ts";

/** That a request is sent now, and what is to be called when it and its answer's body are over. */
export type Permit = { readonly start: RequestStart; readonly release: (() => void) | undefined };

/** A request that waits to be sent. */
export type QueuedRequest = WaitingRequest & {
  /** Until when it waits, by the scheduler's clock. */
  readonly deadline: number;
  /** Whether nobody waits for it any more: it leaves, soon. */
  readonly isOver: boolean;
  /** It may be sent now. */
  go(permit: Permit): void;
  refuse(decision: Decision): void;
  fail(error: unknown): void;
  /** Why it waits, and since when; undefined where it does not, or where nobody wants to know. */
  waits?: WaitReason & { readonly since: number };
};
