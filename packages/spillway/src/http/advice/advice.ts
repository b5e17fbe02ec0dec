/** What an answer says of limits: when to come back, and what is left. */
import { AnswerHeaders, type ReadableHeaders } from "./answer-headers.ts";
import { type Quota, quotasOf } from "./quotas.ts";
import { bounded, instantOf, retryAfterIn, timeText } from "./times.ts";

export type { ReadableHeaders };

/** What an answer says. Times are milliseconds from the answer on. */
export type Advice = {
  /** When to come back; undefined where it isn't said. From 0 to 366 days. */
  readonly retryAfter: number | undefined;
  /** What is left of each quota. */
  readonly quotas: readonly Quota[];
};

/** That nothing was said. */
export const NO_ADVICE: Advice = { retryAfter: undefined, quotas: [] };

/**
 * Reads what an answer's headers say of limits. Pure, and never throws.
 *
 * Understands `Retry-After` in seconds and as a date, `retry-after-ms`, `X-RateLimit-Retry-After`, the
 * drafts' `RateLimit` and `RateLimit-Policy`, `RateLimit-*`, `X-RateLimit-*` and `X-Rate-Limit-*`, and
 * those with `-requests` and `-tokens`. Dates and instants are compared with the server's own `Date`,
 * so that it does not matter whose clock is wrong. What is malformed counts as not said.
 *
 * @param now The time here, in milliseconds since 1970: for answers without `Date`.
 */
export function readAdvice(headers: ReadableHeaders, now: number): Advice {
  const answer = new AnswerHeaders(headers);
  const answered = instantOf(answer.text("date")) ?? now;
  // What a cache has kept says what was left then, and to somebody else.
  const isStale = Number(answer.text("age") ?? 0) > 0;
  return {
    retryAfter: retryAfterOf(answer, answered),
    quotas: isStale ? [] : quotasOf(answer, answered),
  };
}

/** The most exact comes first. */
function retryAfterOf(answer: AnswerHeaders, now: number): number | undefined {
  const ms = timeText(answer.text("retry-after-ms"));
  if (/^\d+(?:\.\d+)?$/.test(ms)) return bounded(Number(ms));
  const said = answer.text("retry-after") ?? answer.text("x-ratelimit-retry-after");
  return said === undefined ? undefined : retryAfterIn(said, now)?.ms;
}

/**
 * How long a refusal says to wait: `Retry-After`, or else until the quotas that are used up are back.
 * Undefined where it says nothing. Pure.
 *
 * @param violated Quotas that refused though something of them is left: less than was asked for.
 */
export function adviceWait(
  { retryAfter, quotas }: Advice,
  violated: readonly string[] = [],
): number | undefined {
  if (retryAfter !== undefined) return retryAfter;
  const refusing = quotas.filter(
    ({ name, remaining }) => remaining === 0 || violated.includes(name),
  );
  const waits = refusing.map((quota) => quota.resetAfter);
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
