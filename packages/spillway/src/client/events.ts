import type { Decision } from "../limits/core/index.ts";

/** Why a request is not sent at once. */
export type WaitReason = {
  /**
   * - `"said"`: the server has named a time before which nothing may be sent.
   * - `"quota"`: too little is left of a quota that the server reports, so that the rest is spread
   *   over time.
   * - `"refusals"`: the server has refused requests at a higher rate.
   * - `"failing"`: the host fails, so that only probes are sent.
   * - `"own limit"`: a limit of the client's own.
   * - `"under way"`: too many requests are under way, or earlier ones go first.
   */
  readonly cause: "said" | "quota" | "refusals" | "failing" | "own limit" | "under way";
  /** The unit that is scarce, such as `"requests"` or `"tokens"`; undefined for other causes. */
  readonly unit: string | undefined;
  /** The server's name for the quota; undefined for other causes. */
  readonly limit: string | undefined;
  /**
   * Milliseconds until the first waiting request is sent, as far as is known now; 0 if that is not
   * known.
   */
  readonly wait: number;
};

/**
 * An event in a client, for logs and metrics. `host` names what has a limit of its own: a host, or
 * one of its routes.
 */
export type ClientEvent =
  /**
   * A server refused a request. Nothing is sent to it for `wait` milliseconds; 0 if it named no
   * wait.
   */
  | {
      readonly type: "refused";
      readonly host: string;
      readonly status: number;
      readonly wait: number;
    }
  /** A request failed: with a status, or with an error if there was no response. */
  | {
      readonly type: "failed";
      readonly host: string;
      readonly status: number | undefined;
      readonly error?: unknown;
    }
  /**
   * A request is sent again after `wait` milliseconds. `attempt` is the number of the attempt, from
   * 2.
   */
  | {
      readonly type: "retrying";
      readonly host: string;
      readonly attempt: number;
      readonly wait: number;
    }
  /** A request was given up; the decision says why. */
  | { readonly type: "gave up"; readonly host: string; readonly decision: Decision }
  /** A request is not sent at once. */
  | (WaitReason & { readonly type: "waiting"; readonly host: string })
  /**
   * A request that was not sent at once is sent, `waited` milliseconds later. The cause is the one
   * with which the wait began.
   */
  | (Omit<WaitReason, "wait"> & {
      readonly type: "waited";
      readonly host: string;
      readonly waited: number;
    })
  /** After `failures` failures in a row, only one probe is sent every `pause` milliseconds. */
  | {
      readonly type: "paused";
      readonly host: string;
      readonly failures: number;
      readonly pause: number;
    }
  /** A probe succeeded, so that all requests are sent again. */
  | { readonly type: "resumed"; readonly host: string };

/** Receives events. Errors that it throws, or rejects with, are ignored. */
export type OnClientEvent = (event: ClientEvent) => unknown;
