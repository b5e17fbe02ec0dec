/** What a test and its client processes say to each other. */
import type { Limits, Reason, WhenUnavailable } from "../../../../src/limits/core/index.ts";

/** What is asked all the time, by so many who each wait for their answer. */
export type Asking = {
  readonly limit: string;
  readonly key: string;
  readonly operation: "limit" | "check" | "value" | "acquire";
  /** For `acquire`: another key of which a lease is taken together with the first. */
  readonly alsoKey?: string;
  readonly inFlight: number;
  /** Callers of one process with the same store share their requests. */
  readonly store: number;
  /** Instead, stores of their own for so many callers each; a divisor of `inFlight`. */
  readonly together?: number;
  /** Milliseconds from an answer to the next ask. */
  readonly pause: number;
  /** Whether each is asked in a transaction of the caller's. */
  readonly within: boolean;
  /** Whether each admission is recorded with the server's time; needs one request for a turn. */
  readonly recorded: boolean;
};

/** What a client process is to do. */
export type Assignment<Client = unknown> = {
  /** What it is to ask through. */
  readonly client: Client;
  readonly limits: Limits;
  readonly whenUnavailable: WhenUnavailable;
  readonly askings: readonly Asking[];
  /** Milliseconds. Default: the store's own. */
  readonly deadline?: number;
  readonly instances: number;
  /** Milliseconds by which the process's own clock is wrong. */
  readonly skew: number;
};

/** An admission: the server's time, and how long after it the work may start. */
export type Admission = readonly [now: number, retryAfter: number];

/** A time in flight, by the machine's own clock, which is one for all processes: nanoseconds. */
export type Flight = readonly [from: number, to: number];

/** What callers got: counts of answers. */
export type Tally = {
  readonly asking: Asking;
  asked: number;
  /** By the store, as all that follow but the last four. */
  admitted: number;
  /** Values that were told. */
  told: number;
  refused: { [reason in Reason]?: number };
  /** By the limit's policy, without the store. */
  degraded: { admitted: number; refused: { [reason in Reason]?: number } };
  /** Questions that have no answer without the store, and were told so. */
  unanswered: number;
  /** Milliseconds. */
  longest: number;
  median: number;
  admissions: Admission[];
  flights: Flight[];
};

/** What the store told of itself: numbers of events. */
export type Events = {
  /** Requests, and the calls that they carried. */
  failed: number;
  late: number;
  calls: number;
  paused: number;
  resumed: number;
  degraded: number;
  disagreed: number;
  overflowed: number;
  unreleased: number;
  /** Why requests failed, and how many did. */
  reasons: { [message: string]: number };
};

/** What happened from one moment to the next. */
export type Phase = {
  /** How long it was, or has been so far. */
  ms: number;
  /** When the store first answered every asking, and the last time that it did not; from its start. */
  answered: number | undefined;
  degraded: number | undefined;
  /** Whether a breaker was open at any time. */
  cutOff: boolean;
  /** In the order of the assignment. */
  tallies: Tally[];
  events: Events;
};

export type Report = {
  readonly phases: { readonly [name: string]: Phase };
  /** What nobody caught, and what was not an answer. */
  readonly errors: readonly string[];
};

/** Orders, and what is replied when they have been carried out. */
export type Orders = {
  connect: { readonly detail: Assignment; readonly reply: undefined };
  start: { readonly detail: undefined; readonly reply: undefined };
  /** From now on, all is counted under another name. */
  enter: { readonly detail: string; readonly reply: undefined };
  /** Asks no more; replies when every ask has its answer, and what was held has been given back. */
  rest: { readonly detail: undefined; readonly reply: undefined };
  report: { readonly detail: undefined; readonly reply: Report };
  /** Replies when every ask has its answer. */
  stop: { readonly detail: undefined; readonly reply: Report };
};

export type Order = keyof Orders;

export type OrderMessage = { readonly id: number; readonly order: Order; readonly detail: unknown };

export type ReplyMessage = {
  readonly id: number;
  readonly reply?: unknown;
  readonly error?: string;
};
