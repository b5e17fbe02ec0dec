import type { Decision } from "../limits/core/index.ts";

/** Why a request is not sent at once. */
export type WaitReason = {
  /**
   * - `"said"`: the server has said to come back later.
   * - `"quota"`: too little is left of what the server allows, and what is left is spread over
   *   time.
   * - `"refusals"`: it has refused more than this.
   * - `"failing"`: it fails, and is sent probes only.
   * - `"own limit"`: a limit of the client's own.
   * - `"under way"`: too many requests are under way, or others are asked first.
   */
  readonly cause: "said" | "quota" | "refusals" | "failing" | "own limit" | "under way";
  /** What is scarce, such as `"requests"` or `"tokens"`; undefined for other causes. */
  readonly unit: string | undefined;
  /** The name that the server has for the quota. */
  readonly limit: string | undefined;
  /**
   * Milliseconds until the first of those that wait is sent, as far as is known now; 0 where that
   * is not known.
   */
  readonly wait: number;
};

/**
 * What happens to the requests of a client, for logs and metrics. `host` is what has a limit of its
 * own.
 */
export type ClientEvent =
  /** A server has refused a request; nothing is sent there for `wait` milliseconds. */
  | {
      readonly type: "refused";
      readonly host: string;
      readonly status: number;
      readonly wait: number;
    }
  /** A request failed: with a status, or with an error where there was no answer. */
  | {
      readonly type: "failed";
      readonly host: string;
      readonly status: number | undefined;
      readonly error?: unknown;
    }
  /** A request is sent again, for the so-manieth time, after so many milliseconds. */
  | {
      readonly type: "retrying";
      readonly host: string;
      readonly attempt: number;
      readonly wait: number;
    }
  /** A request was given up: the decision says why. */
  | { readonly type: "gave up"; readonly host: string; readonly decision: Decision }
  /** A request is not sent at once. */
  | (WaitReason & { readonly type: "waiting"; readonly host: string })
  /**
   * A request that was not sent at once is sent, `waited` milliseconds later: for that cause, to
   * begin with.
   */
  | (Omit<WaitReason, "wait"> & {
      readonly type: "waited";
      readonly host: string;
      readonly waited: number;
    })
  /** After failures in a row nothing is sent, but for one probe every `pause` milliseconds. */
  | {
      readonly type: "paused";
      readonly host: string;
      readonly failures: number;
      readonly pause: number;
    }
  /** A probe succeeded. */
  | { readonly type: "resumed"; readonly host: string };

/** Receives events. Errors that it throws, or rejects with, are ignored. */
export type OnClientEvent = (event: ClientEvent) => unknown;
