/** Asks a shedder which requests are forwarded while the servers behind are overloaded. */
import {
  type Admission,
  closeSignal,
  type Outcome,
  type Priority,
  type Shedder,
} from "spillway/shedding";
import type { MaybePromise } from "spillway/support";
import { type HttpMatch, isFor, type NormalRequest } from "../../rules/index.ts";
import type { FrontResponse } from "./arrival.ts";

/** The priority of the requests that fulfil some conditions. */
export type PriorityRoute = { readonly priority: Priority; readonly match: HttpMatch };

/** Responses that stay open: they keep their connections, but are in flight no longer. */
export type OpenStreams = { count: number };

/** How requests are shed. */
export type ProxyShedding = {
  readonly shedder: Shedder;
  /** The first that matches counts. Default: `"normal"`. */
  readonly priorities: readonly PriorityRoute[];
  /**
   * The header that says how many milliseconds the client still waits, in lower case. Undefined if
   * none is read.
   */
  readonly deadlineHeader: string | undefined;
  readonly streams: OpenStreams;
};

type AnsweredRequest = {
  readonly admission: Admission;
  readonly outcome: Outcome;
  readonly end: (call: () => void) => void;
};

/**
 * Reports to the shedder how a request was answered. `end` calls a function once the request is
 * over.
 */
export function reportTo(
  { streams }: ProxyShedding,
  { admission, outcome, end }: AnsweredRequest,
): void {
  if (outcome === "streaming") {
    streams.count++;
    end(() => streams.count--);
  }
  admission.done(outcome);
}

/**
 * Asks the shedder. A request that waits is withdrawn if its client goes.
 *
 * An admitted request is in flight until `done` is called.
 */
export function shed(
  { shedder, priorities, deadlineHeader }: ProxyShedding,
  request: NormalRequest,
  response: FrontResponse,
): MaybePromise<Admission> {
  const priority = priorityIn(priorities, request);
  const deadline = deadlineIn(deadlineHeader, request);
  const signal = closeSignal(response);
  return shedder.admit({ priority, signal, ...(deadline !== undefined && { deadline }) });
}

function priorityIn(routes: readonly PriorityRoute[], request: NormalRequest): Priority {
  return routes.find(({ match }) => isFor(match, request))?.priority ?? "normal";
}

/** Nine digits are eleven days: no client waits longer. */
const MILLISECONDS = /^\d{1,9}$/;

/** A text that is no number of milliseconds is not believed: the request has no deadline. */
function deadlineIn(name: string | undefined, request: NormalRequest): number | undefined {
  const text = name === undefined ? undefined : request.header(name);
  return text !== undefined && MILLISECONDS.test(text) ? Number(text) : undefined;
}
