/**
 * What is left, as headers: the present draft's two structured fields, and what came before them.
 *
 * draft-ietf-httpapi-ratelimit-headers-10 for `RateLimit` and `RateLimit-Policy`, -06 for the split
 * form; nobody has specified the others.
 */
import type { Policy } from "./policy.ts";

/** A header. */
export type Header = readonly [name: string, value: string];

/**
 * A form of telling what is left.
 *
 * - `draft`: `RateLimit` and `RateLimit-Policy`, of every limit. The present draft.
 * - `draft-6`: `RateLimit-Limit`, `-Remaining`, `-Reset` in seconds, and that draft's `-Policy`.
 * - `x-ratelimit`: `X-RateLimit-Limit`, `-Remaining`, `-Reset` in seconds.
 * - `x-ratelimit-epoch`: the same, with the reset in seconds since 1970.
 * - `x-ratelimit-retry-after`: `X-RateLimit-Limit`, `-Remaining`, and `X-Ratelimit-Retry-After` in
 *   seconds with a refusal.
 */
export type HeaderForm =
  | "draft"
  | "draft-6"
  | "x-ratelimit"
  | "x-ratelimit-epoch"
  | "x-ratelimit-retry-after";

/** What is left of one limit. */
export type Standing = {
  readonly policy: Policy;
  /** Whole units. */
  readonly remaining: number;
  /** Milliseconds until there is more; undefined where that is not known. */
  readonly wait: number | undefined;
  /** Whose budget it is, hashed, as Base64; undefined where it is not shown. */
  readonly partition: string | undefined;
};

/** What all forms are made of. */
export type Standings = {
  /** Of every limit to be reported, the one that decided first. Not empty. */
  readonly limits: readonly Standing[];
  /** The `Retry-After` of a refusal, in seconds. */
  readonly retryAfter: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type Writer = { readonly names: readonly string[]; write(standings: Standings): readonly Header[] };

const WRITERS: { readonly [F in HeaderForm]: Writer } = {
  draft: { names: ["RateLimit-Policy", "RateLimit"], write: draft },
  "draft-6": {
    names: ["RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
    write: (standings) => [
      ["RateLimit-Policy", standings.limits.map(oldPolicy).join(", ")],
      ...split("RateLimit", standings),
    ],
  },
  "x-ratelimit": {
    names: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    write: (standings) => split("X-RateLimit", standings),
  },
  "x-ratelimit-epoch": {
    names: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    write: (standings) =>
      split("X-RateLimit", standings, (wait) => seconds(standings.now() + wait)),
  },
  "x-ratelimit-retry-after": {
    names: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Ratelimit-Retry-After"],
    write: (standings) => [
      ...split("X-RateLimit", standings).slice(0, 2),
      ...whole("X-Ratelimit-Retry-After", standings.retryAfter),
    ],
  },
};

/** The names of the forms. */
export const HEADER_FORMS = Object.keys(WRITERS) as readonly HeaderForm[];

/** What is left, in one form. Pure, but for the clock that it is given. */
export function rateLimitHeaders(form: HeaderForm, standings: Standings): readonly Header[] {
  return WRITERS[form].write(standings);
}

/** The names of the headers that a form may have, which browsers have to know. Pure. */
export function headerNames(form: HeaderForm): readonly string[] {
  return WRITERS[form].names;
}

/** Of one limit mostly: a list of one costs nothing that way. */
function draft({ limits }: Standings): readonly Header[] {
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

/** Several budgets may be under one policy. */
function eachOnce(items: readonly string[]): string {
  return [...new Set(items)].join(", ");
}

function policyItem({ policy, partition }: Standing): string {
  return policy.item + partitionParameter(partition);
}

function standingItem({ policy, remaining, wait, partition }: Standing): string {
  const reset = wait === undefined ? "" : `;t=${seconds(wait)}`;
  return `"${policy.name}";r=${remaining}${reset}${partitionParameter(partition)}`;
}

function partitionParameter(partition: string | undefined): string {
  return partition === undefined ? "" : `;pk=:${partition}:`;
}

/** Draft 6: `10;w=60`. What is in flight has no window, and none is optional there. */
function oldPolicy({ policy: { quota, window } }: Standing): string {
  return window === undefined ? String(quota) : `${quota};w=${window}`;
}

/** Of the limit that decided: there is room for one. */
function split(prefix: string, { limits }: Standings, reset = seconds): readonly Header[] {
  const { policy, remaining, wait } = limits[0] as Standing;
  return [
    [`${prefix}-Limit`, String(policy.quota)],
    [`${prefix}-Remaining`, String(remaining)],
    ...whole(`${prefix}-Reset`, wait === undefined ? undefined : reset(wait)),
  ];
}

/** Whole seconds, rounded up, so that nobody comes too early. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

function whole(name: string, value: number | undefined): readonly Header[] {
  return value === undefined ? [] : [[name, String(value)]];
}
