import { causeOf } from "./cause.ts";
import type { Decision } from "./decision.ts";
import { display, kept, shape } from "./display.ts";
import { type HttpResponse, plainResponse, refusalHeaders, refusalStatus } from "./http-refusal.ts";
import { quoted } from "./printable.ts";

/**
 * Every code an error of this library can carry; `docs/errors.md` explains each.
 *
 * All but `limited`, `shed`, `lease-lost`, `queue-failed` and `unavailable` mean that the program is wrong, and are raised
 * before any state is touched.
 */
export const ERROR_CODES = [
  "bad-ask",
  "bad-block",
  "bad-capacity",
  "bad-client",
  "bad-clock",
  "bad-count",
  "bad-jitter",
  "bad-job",
  "bad-key",
  "bad-kind",
  "bad-limit",
  "bad-max-keys",
  "bad-max-reserved",
  "bad-option",
  "bad-period",
  "bad-priority",
  "bad-rate",
  "bad-region",
  "bad-schema",
  "bad-settlement",
  "bad-share",
  "bad-shards",
  "bad-start",
  "bad-store",
  "bad-transaction",
  "bad-ttl",
  "bad-wait",
  "bad-work",
  "inexact-limit",
  "job-too-large",
  "lease-lost",
  "limited",
  "no-request-signal",
  "no-reservations",
  "no-rights",
  "no-transactions",
  "queue-failed",
  "shed",
  "socket-not-held",
  "unavailable",
  "unknown-field",
  "unknown-limit",
  "wrong-kind",
] as const;

/** A code that names what went wrong; stable across releases. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Where and what: the parts from which an error's message is made. */
export type Problem = {
  readonly code: ErrorCode;
  /** The limit's name, where one is concerned. */
  readonly limit?: string | undefined;
  /** The field or argument at fault. */
  readonly field?: string | undefined;
  /** What was found there. Messages show it short, and without what looks like a secret. */
  readonly value?: unknown;
  /** Whether it is a secret, or somebody's: then only its shape is shown. Default: false. */
  readonly isPrivate?: boolean;
  /** What should have been there. */
  readonly expected: string;
  /** A way out. */
  readonly hint?: string | undefined;
  /** What it came of. Of an error of somebody else's its name, code, message and place are kept. */
  readonly cause?: unknown;
};

/**
 * What Spillway throws: the place, the value, a way out. It is misuse, but for `RateLimitError`, for
 * `unavailable`, with which a call rejects that a store could not carry out, and for `lease-lost`.
 *
 * It may be logged as a whole: no secret, key, request or object that it was made of is in it.
 */
export class SpillwayError extends Error {
  override readonly name: string = "SpillwayError";
  /** What went wrong; see `docs/errors.md`. */
  readonly code: ErrorCode;
  /** The limit concerned, where there is one. */
  readonly limit: string | undefined;
  /** The field or argument at fault, where there is one. */
  readonly field: string | undefined;
  /** What should have been there. */
  readonly expected: string;
  /** A way out, where one is known. */
  readonly hint: string | undefined;
  readonly #value: unknown;

  constructor(problem: Problem) {
    super(describe(problem), problem.cause === undefined ? {} : { cause: causeOf(problem.cause) });
    this.code = problem.code;
    this.limit = problem.limit;
    this.field = kept(problem.field) as string | undefined;
    this.#value = keptOf(problem);
    this.expected = problem.expected;
    this.hint = problem.hint;
  }

  /** What was found there, as the message shows it: a number as it is, a text masked and cut, or a shape. Not enumerable. */
  get value(): unknown {
    return this.#value;
  }
}

/**
 * A refusal, thrown only where `throws: true` asked for it. Carries the decision.
 *
 * It also says how to answer over HTTP, in the words that Express, Fastify, Koa and Hono look for in
 * an error: thrown in a handler, it is answered as a refusal and not as a failure of the server. Its
 * message names the limit and the wait, never a key.
 */
export class RateLimitError extends SpillwayError {
  override readonly name: string = "RateLimitError";
  /** `unavailable` or `shed` where that is the reason, else `limited`. */
  declare readonly code: RefusalCode;
  /** The refusal itself. */
  readonly decision: Decision;
  /** 429, or 503 where the reason is `unavailable` or `shed`: the caller has done nothing then. */
  readonly status: 429 | 503;
  /** The same as `status`. */
  readonly statusCode: 429 | 503;
  /** Whether the message is for the caller: true for 429. */
  readonly expose: boolean;
  /** `Retry-After` in whole seconds, rounded up, where a wait helps; and what else it was made with. */
  readonly headers: { readonly [name: string]: string };

  constructor(decision: Decision, headers: { readonly [name: string]: string } = {}) {
    super({ code: codeOf(decision), limit: decision.limit, expected: advice(decision) });
    this.decision = decision;
    this.status = refusalStatus(decision);
    this.statusCode = this.status;
    this.expose = this.status === 429;
    this.headers = { ...refusalHeaders(decision), ...headers };
  }

  /** The same as a `Response` in plain text; for runtimes that have one. */
  getResponse(): HttpResponse {
    const { status, headers } = this;
    return plainResponse(this.expose ? this.message : "Service Unavailable", { status, headers });
  }
}

type RefusalCode = Extract<ErrorCode, "limited" | "shed" | "unavailable">;

/** The reason, where the caller has done nothing: whoever reads only the code is not to blame it. */
function codeOf({ reason }: Decision): RefusalCode {
  return reason === "unavailable" || reason === "shed" ? reason : "limited";
}

function advice({ reason, retryAfter, estimatedRetryAfter, capacity }: Decision): string {
  if (reason === "too large" && capacity === 0)
    return "refused: its capacity is 0, which admits nothing";
  const why = reason === undefined ? "refused" : `refused (${reason})`;
  if (retryAfter === Number.POSITIVE_INFINITY) return `${why}: no wait can help`;
  return estimatedRetryAfter === undefined
    ? `${why}: try again in ${retryAfter} ms`
    : `${why}: try again in some ${estimatedRetryAfter} ms, or surely in ${retryAfter} ms`;
}

/** Where a limit's name is cut, in characters. */
const LONGEST_NAME = 60;

function describe(problem: Problem): string {
  const place = problem.limit === undefined ? "" : `limit ${quoted(problem.limit, LONGEST_NAME)}: `;
  const hint = problem.hint === undefined ? "" : `. ${problem.hint}`;
  return `${place}${found(problem)}${problem.expected}${hint}`;
}

function keptOf({ value, isPrivate }: Problem): unknown {
  return isPrivate && value !== undefined ? shape(value) : kept(value);
}

function found({ code, field, value, isPrivate }: Problem): string {
  if (field === undefined) return "";
  if (code === "unknown-field") return `unknown field ${display(field)}; `;
  return `${field} is ${isPrivate ? shape(value) : display(value)}, expected `;
}
