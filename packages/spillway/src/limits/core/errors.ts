import { causeOf } from "./cause.ts";
import type { Decision } from "./decision.ts";
import { display, kept, shape } from "./display.ts";
import { type HttpResponse, plainResponse, refusalHeaders, refusalStatus } from "./http-refusal.ts";
import { quoted } from "./printable.ts";

/** The way out for what only stores with states of their own can do. */
export const FULL_STORES = "Use the store for memory, SQLite, Postgres or Redis, without regions";

/**
 * Every error code of this library; `docs/errors.md` explains each.
 *
 * All except `limited`, `shed`, `lease-lost`, `queue-failed` and `unavailable` mean that the
 * program is wrong. They are raised before any state is touched.
 */
export const ERROR_CODES = [
  "bad-ask",
  "bad-block",
  "bad-capacity",
  "bad-client",
  "bad-clock",
  "bad-count",
  "bad-groups",
  "bad-jitter",
  "bad-job",
  "bad-key",
  "bad-kind",
  "bad-limit",
  "bad-max-keys",
  "bad-max-reserved",
  "bad-mode",
  "bad-option",
  "bad-override",
  "bad-penalty",
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
  "no-overrides",
  "no-penalties",
  "no-register",
  "no-request-signal",
  "no-reservations",
  "no-rights",
  "no-transactions",
  "queue-failed",
  "shed",
  "socket-not-held",
  "unavailable",
  "unknown-field",
  "unknown-group",
  "unknown-limit",
  "wrong-kind",
] as const;

/** An error code; stable across releases. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The place and the cause of an error, from which its message is built. */
export type Problem = {
  readonly code: ErrorCode;
  /** The limit's name, if one is concerned. */
  readonly limit?: string | undefined;
  /** The field or argument at fault. */
  readonly field?: string | undefined;
  /** The value found. Messages show it short and with secrets masked. */
  readonly value?: unknown;
  /** Whether the value is secret or private: then only its shape is shown. Default: false. */
  readonly isPrivate?: boolean;
  /** The expected value. */
  readonly expected: string;
  /** A remedy. */
  readonly hint?: string | undefined;
  /** The cause. Of a foreign error its name, code, message and stack are kept. */
  readonly cause?: unknown;
};

/**
 * An error of Spillway: the place, the value, and a remedy.
 *
 * It means misuse, with three exceptions: `RateLimitError`, `lease-lost`, and `unavailable` for a
 * call that a store could not carry out. It may be logged as a whole: it contains no secret, key,
 * request or foreign object.
 */
export class SpillwayError extends Error {
  override readonly name: string = "SpillwayError";
  /** The error code; see `docs/errors.md`. */
  readonly code: ErrorCode;
  /** The limit concerned, if there is one. */
  readonly limit: string | undefined;
  /** The field or argument at fault, if there is one. */
  readonly field: string | undefined;
  /** The expected value. */
  readonly expected: string;
  /** A remedy, if one is known. */
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

  /**
   * The value found, as the message shows it: a number unchanged, a text masked and cut, or a
   * shape. Not enumerable.
   */
  get value(): unknown {
    return this.#value;
  }
}

/**
 * A refusal, thrown only if `throws: true` asked for it. Carries the decision.
 *
 * It also has the fields by which Express, Fastify, Koa and Hono answer an error: thrown in a
 * handler, it is answered as a refusal and not as a failure of the server. Its message names the
 * limit and the wait, never a key.
 */
export class RateLimitError extends SpillwayError {
  override readonly name: string = "RateLimitError";
  /** `unavailable` or `shed` for these reasons, else `limited`. */
  declare readonly code: RefusalCode;
  /** The refusal itself. */
  readonly decision: Decision;
  /** 429, or 503 if the reason is `unavailable` or `shed`, which the caller did not cause. */
  readonly status: 429 | 503;
  /** The same as `status`. */
  readonly statusCode: 429 | 503;
  /** Whether the message is for the caller: true for 429. */
  readonly expose: boolean;
  /**
   * `Retry-After` in whole seconds, rounded up, if a wait helps; and the headers given to the
   * constructor.
   */
  readonly headers: { readonly [name: string]: string };

  constructor(decision: Decision, headers: { readonly [name: string]: string } = {}) {
    super({ code: codeOf(decision), limit: decision.limit, expected: advice(decision) });
    this.decision = decision;
    this.status = refusalStatus(decision);
    this.statusCode = this.status;
    this.expose = this.status === 429;
    this.headers = { ...refusalHeaders(decision), ...headers };
  }

  /** Returns the refusal as a `Response` in plain text, for runtimes that have `Response`. */
  getResponse(): HttpResponse {
    const { status, headers } = this;
    return plainResponse(this.expose ? this.message : "Service Unavailable", { status, headers });
  }
}

type RefusalCode = Extract<ErrorCode, "limited" | "shed" | "unavailable">;

/**
 * Returns the code. If the caller is not at fault it is the reason, so that code which reads
 * nothing else does not blame the caller.
 */
function codeOf({ reason }: Decision): RefusalCode {
  return reason === "unavailable" || reason === "shed" ? reason : "limited";
}

function advice({ reason, retryAfter, estimatedRetryAfter, capacity }: Decision): string {
  if (reason === "too large" && capacity === 0)
    return "refused: its capacity is 0, which admits nothing";
  const why = reason === undefined ? "refused" : `refused (${reason})`;
  if (retryAfter === Number.POSITIVE_INFINITY) return `${why}: waiting does not help`;
  return estimatedRetryAfter === undefined
    ? `${why}: try again in ${retryAfter} ms`
    : `${why}: try again in about ${estimatedRetryAfter} ms, at the latest in ${retryAfter} ms`;
}

/** The longest name of a limit in a message, in characters. */
const LONGEST_NAME = 60;

function describe(problem: Problem): string {
  const place = problem.limit === undefined ? "" : `limit ${quoted(problem.limit, LONGEST_NAME)}: `;
  const hint = problem.hint === undefined ? "" : `. ${problem.hint}`;
  return `${place}${describeFound(problem)}${problem.expected}${hint}`;
}

function keptOf({ value, isPrivate }: Problem): unknown {
  return isPrivate && value !== undefined ? shape(value) : kept(value);
}

function describeFound({ code, field, value, isPrivate }: Problem): string {
  if (field === undefined) return "";
  if (code === "unknown-field") return `unknown field ${display(field)}; `;
  return `${field} is ${isPrivate ? shape(value) : display(value)}, expected `;
}
