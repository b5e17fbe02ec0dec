/** What an answer says of limits: when to come back, and what is left. */
import { type Quota, quotasOf, type Read } from "./quotas.ts";
import { bounded, instantOf, waitOf } from "./times.ts";

/** What is needed of `Headers`. */
export type ReadableHeaders = { get(name: string): string | null };

/** What an answer says. Times are milliseconds from the answer on. */
export type Advice = {
  /** When to come back; undefined where it isn't said. From 0 to 366 days. */
  readonly retryAfter: number | undefined;
  /** What is left of each quota. */
  readonly quotas: readonly Quota[];
};

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
  const read: Read = (name) => headers.get(name) ?? undefined;
  const answered = instantOf(read("date")?.trim() ?? "") ?? now;
  // What a cache has kept says what was left then, and to somebody else.
  const isStale = Number(read("age") ?? 0) > 0;
  return {
    retryAfter: retryAfterOf(read, answered),
    quotas: isStale ? [] : quotasOf(read, answered),
  };
}

/** The most exact comes first. */
function retryAfterOf(read: Read, now: number): number | undefined {
  const ms = read("retry-after-ms")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(ms)) return bounded(Number(ms));
  const said = read("retry-after") ?? read("x-ratelimit-retry-after");
  return said === undefined ? undefined : waitOf(said, now)?.ms;
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
