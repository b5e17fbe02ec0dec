/** Reads what a response reports about limits: when to retry, and what is left. */
import { AnswerHeaders, type ReadableHeaders } from "./answer-headers.ts";
import { type Quota, quotasOf } from "./quotas.ts";
import { bounded, instantOf, retryAfterIn, timeText } from "./times.ts";

export type { ReadableHeaders };

/** The report of a response. Times are in milliseconds from the response. */
export type Advice = {
  /** The wait before a retry, from 0 to 366 days; undefined if the response has none. */
  readonly retryAfter: number | undefined;
  /** The remaining units of each quota. */
  readonly quotas: readonly Quota[];
};

/** The advice of a response that reports nothing. */
export const NO_ADVICE: Advice = { retryAfter: undefined, quotas: [] };

/**
 * Reads what a response's headers report about limits. Pure; never throws.
 *
 * Understands `Retry-After` as seconds or a date, `retry-after-ms` and `X-RateLimit-Retry-After`.
 * Of quotas, it understands the drafts' `RateLimit` and `RateLimit-Policy`, `RateLimit-*`,
 * `X-RateLimit-*`, `X-Rate-Limit-*`, and those with `-requests` and `-tokens`.
 *
 * Dates and instants are compared with the server's own `Date`, so neither clock needs to be right.
 * Malformed values are ignored.
 *
 * @param now The local time in milliseconds since 1970, for responses without `Date`.
 */
export function readAdvice(headers: ReadableHeaders, now: number): Advice {
  const answer = new AnswerHeaders(headers);
  const answered = instantOf(answer.text("date")) ?? now;
  // A cached response reports what was left at that time, and to another client.
  const isStale = Number(answer.text("age") ?? 0) > 0;
  return {
    retryAfter: retryAfterOf(answer, answered),
    quotas: isStale ? [] : quotasOf(answer, answered),
  };
}

/** The most precise header overrides the others. */
function retryAfterOf(answer: AnswerHeaders, now: number): number | undefined {
  const ms = timeText(answer.text("retry-after-ms"));
  if (/^\d+(?:\.\d+)?$/.test(ms)) return bounded(Number(ms));
  const said = answer.text("retry-after") ?? answer.text("x-ratelimit-retry-after");
  return said === undefined ? undefined : retryAfterIn(said, now)?.ms;
}

/**
 * Returns the wait that a refusal asks for; undefined if it has none. Pure.
 *
 * This is `Retry-After`, or else the time until the used-up quotas have more.
 *
 * @param violated Names of quotas that refused although something was left, but less than was asked
 * for.
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
