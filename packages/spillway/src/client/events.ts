import type { Decision } from "../core/index.ts";

/** What happens to the requests of a client, for logs and metrics. `host` is what has a limit of its own. */
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
  /** After failures in a row nothing is sent, but for one probe every `pause` milliseconds. */
  | {
      readonly type: "paused";
      readonly host: string;
      readonly failures: number;
      readonly pause: number;
    }
  /** A probe succeeded. */
  | { readonly type: "resumed"; readonly host: string };

/** Receives what happens. What it throws, or rejects with, is ignored. */
export type OnClientEvent = (event: ClientEvent) => unknown;
