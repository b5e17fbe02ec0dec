/**
 * Writes what is left as headers: the two structured fields of the current draft, or an older form.
 *
 * Sources: draft-ietf-httpapi-ratelimit-headers-10 for `RateLimit` and `RateLimit-Policy`, -06 for
 * the split form. The other forms have no specification.
 */
import type { Policy } from "./policy.ts";

/** A name and a value. */
export type Header = readonly [name: string, value: string];

/**
 * A form of the headers that report what is left.
 *
 * - `draft`: `RateLimit` and `RateLimit-Policy`, for every limit. The current draft.
 * - `draft-6`: `RateLimit-Limit`, `-Remaining`, `-Reset` in seconds, and that draft's `-Policy`.
 * - `x-ratelimit`: `X-RateLimit-Limit`, `-Remaining`, `-Reset` in seconds.
 * - `x-ratelimit-epoch`: the same, with the reset in seconds since 1970.
 * - `x-ratelimit-retry-after`: `X-RateLimit-Limit`, `-Remaining`, and with a refusal
 *   `X-Ratelimit-Retry-After` in seconds.
 */
export type HeaderForm =
  | "draft"
  | "draft-6"
  | "x-ratelimit"
  | "x-ratelimit-epoch"
  | "x-ratelimit-retry-after";

/** The status of one limit: what is left of it. */
export type LimitStatus = {
  readonly policy: Policy;
  /** Whole units. */
  readonly remaining: number;
  /** Milliseconds until more is available; undefined if that is unknown. */
  readonly wait: number | undefined;
  /** The budget's partition key, as Base64; undefined if it is not shown. */
  readonly partition: string | undefined;
};

/** The values that all forms are made from. */
export type LimitStatuses = {
  /** All limits to report, the one that decided first. Not empty. */
  readonly limits: readonly LimitStatus[];
  /** The `Retry-After` of a refusal, in seconds; undefined if there is none. */
  readonly retryAfter: number | undefined;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
};

type HeaderWriter = {
  readonly names: readonly string[];
  write(statuses: LimitStatuses): readonly Header[];
};

const WRITERS: { readonly [F in HeaderForm]: HeaderWriter } = {
  draft: { names: ["RateLimit-Policy", "RateLimit"], write: draft },
  "draft-6": {
    names: ["RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
    write: (statuses) => [
      ["RateLimit-Policy", statuses.limits.map(oldPolicy).join(", ")],
      ...split("RateLimit", statuses),
    ],
  },
  "x-ratelimit": {
    names: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    write: (statuses) => split("X-RateLimit", statuses),
  },
  "x-ratelimit-epoch": {
    names: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    write: (statuses) => split("X-RateLimit", statuses, (wait) => seconds(statuses.now() + wait)),
  },
  "x-ratelimit-retry-after": {
    names: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Ratelimit-Retry-After"],
    write: (statuses) => [
      ...split("X-RateLimit", statuses).slice(0, 2),
      ...whole("X-Ratelimit-Retry-After", statuses.retryAfter),
    ],
  },
};

/** The names of all header forms. */
export const HEADER_FORMS = Object.keys(WRITERS) as readonly HeaderForm[];

/** Writes what is left, in one form. Pure, except for the given clock. */
export function rateLimitHeaders(form: HeaderForm, statuses: LimitStatuses): readonly Header[] {
  return WRITERS[form].write(statuses);
}

/** Returns the names of the headers that a form may have, to expose them to browsers. Pure. */
export function headerNames(form: HeaderForm): readonly string[] {
  return WRITERS[form].names;
}

/** Mostly there is one limit. The short path then saves the cost of lists. */
function draft({ limits }: LimitStatuses): readonly Header[] {
  const [only] = limits;
  if (only !== undefined && limits.length === 1) {
    return [
      ["RateLimit-Policy", policyItem(only)],
      ["RateLimit", standingItem(only)],
    ];
  }
  return [
    ["RateLimit-Policy", eachOnce(limits.map(policyItem))],
    ["RateLimit", limits.map(standingItem).join(", ")],
  ];
}

/** Several budgets may have the same policy. */
function eachOnce(items: readonly string[]): string {
  return [...new Set(items)].join(", ");
}

function policyItem({ policy, partition }: LimitStatus): string {
  return policy.item + partitionParameter(partition);
}

function standingItem({ policy, remaining, wait, partition }: LimitStatus): string {
  const reset = wait === undefined ? "" : `;t=${seconds(wait)}`;
  return `"${policy.name}";r=${remaining}${reset}${partitionParameter(partition)}`;
}

function partitionParameter(partition: string | undefined): string {
  return partition === undefined ? "" : `;pk=:${partition}:`;
}

/** Draft 6: `10;w=60`. A concurrency limit has no window, so `w` is left out. */
function oldPolicy({ policy: { quota, window } }: LimitStatus): string {
  return window === undefined ? String(quota) : `${quota};w=${window}`;
}

/** Reports only the limit that decided, because these headers have room for one. */
function split(prefix: string, { limits }: LimitStatuses, reset = seconds): readonly Header[] {
  const { policy, remaining, wait } = limits[0] as LimitStatus;
  return [
    [`${prefix}-Limit`, String(policy.quota)],
    [`${prefix}-Remaining`, String(remaining)],
    ...whole(`${prefix}-Reset`, wait === undefined ? undefined : reset(wait)),
  ];
}

/** Whole seconds, rounded up, so that no client comes too early. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

function whole(name: string, value: number | undefined): readonly Header[] {
  return value === undefined ? [] : [[name, String(value)]];
}
