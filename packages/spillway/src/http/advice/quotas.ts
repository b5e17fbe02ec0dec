/** Reads what is left of each quota, in every form that servers send. */
import { SECOND } from "../../limits/core/index.ts";
import type { AnswerHeaders } from "./answer-headers.ts";
import type { BareItem, FieldMember } from "./fields.ts";
import { type ApproximateWait, bounded, waitOf } from "./times.ts";

/**
 * The report of a response about one quota. Times are in milliseconds from the response; undefined
 * if not reported.
 */
export type Quota = {
  /** The server's name for the quota; "requests" if it has none. */
  readonly name: string;
  /**
   * The counted unit: "requests", or a unit such as tokens, of which a request may use any number.
   */
  readonly unit: string;
  /** The maximum number of units that can be left. */
  readonly capacity: number | undefined;
  /** The period of the quota, if it is reported. */
  readonly period: number | undefined;
  /** Whole units left. */
  readonly remaining: number;
  /** The time until more is available. The true time may be shorter by at most `resolution`. */
  readonly resetAfter: number | undefined;
  readonly resolution: number;
};

type QuotaReader = (answer: AnswerHeaders, now: number) => readonly Quota[];

/** Returns the quotas of the first form that reports any. Pure; never throws. */
export function quotasOf(answer: AnswerHeaders, now: number): readonly Quota[] {
  for (const reader of READERS) {
    const quotas = reader(answer, now);
    if (quotas.length > 0) return quotas;
  }
  return [];
}

const REQUESTS = "requests";

/** draft-ietf-httpapi-ratelimit-headers since version 8: `"burst";r=50;t=30`. */
const draft: QuotaReader = (answer) => {
  const policies = policiesOf(answer.members("ratelimit-policy"));
  return answer
    .members("ratelimit")
    .filter(({ key, value }) => key === undefined && typeof value === "string")
    .flatMap(({ value, parameters }) => {
      const name = value as string;
      const policy = policies.get(name);
      const wait = secondsOf(parameters.get("t"));
      return quota({ name, remaining: parameters.get("r"), wait, ...policy });
    });
};

type ReadPolicy = { readonly capacity: unknown; readonly period: unknown; readonly unit: string };

function policiesOf(list: readonly FieldMember[]): ReadonlyMap<string, ReadPolicy> {
  return new Map(
    list.map(({ value, parameters }) => {
      const unit = parameters.get("qu") ?? REQUESTS;
      return [
        String(value),
        { capacity: parameters.get("q"), period: parameters.get("w"), unit: String(unit) },
      ];
    }),
  );
}

/** Version 7 of the draft: `limit=100, remaining=50, reset=5`. */
const dictionary: QuotaReader = (answer) => {
  const fields = new Map(answer.members("ratelimit").map(({ key, value }) => [key, value]));
  const capacity = fields.get("limit");
  const wait = secondsOf(fields.get("reset"));
  const period = periodOf(answer.members("ratelimit-policy"), capacity);
  return quota({ name: REQUESTS, remaining: fields.get("remaining"), wait, capacity, period });
};

/** Versions up to 6, and older headers: three headers. `RateLimit-Limit` may also list policies. */
function split(prefix: string): QuotaReader {
  return (answer, now) => {
    const [first, ...policies] = answer.members(`${prefix}-limit`);
    const until = answer.text(`${prefix}-reset`);
    return quota({
      name: answer.text("x-ratelimit-resource") ?? REQUESTS,
      remaining: answer.members(`${prefix}-remaining`)[0]?.value,
      wait: until === undefined ? undefined : waitOf(until, now),
      capacity: first?.value,
      period: periodOf([...answer.members("ratelimit-policy"), ...policies], first?.value),
    });
  };
}

/**
 * Returns the period of the policy that has the same quota, among several such as
 * `10;w=1, 50;w=60`.
 */
function periodOf(policies: readonly FieldMember[], capacity: BareItem | undefined): unknown {
  const known = policies.filter(({ parameters }) => parameters.has("w"));
  const same = known.filter(({ value }) => value === capacity);
  const [only] = same.length > 0 ? same : known;
  return same.length === 1 || known.length === 1 ? only?.parameters.get("w") : undefined;
}

/** One set of headers per unit, as APIs of language models send them. */
function byUnit(
  names: (field: "limit" | "remaining" | "reset", unit: string) => string,
): QuotaReader {
  return (answer, now) =>
    ["requests", "tokens", "input-tokens", "output-tokens"].flatMap((unit) => {
      const until = answer.text(names("reset", unit));
      return quota({
        name: unit,
        unit,
        remaining: answer.members(names("remaining", unit))[0]?.value,
        wait: until === undefined ? undefined : waitOf(until, now),
        capacity: answer.members(names("limit", unit))[0]?.value,
        period: undefined,
      });
    });
}

const READERS: readonly QuotaReader[] = [
  draft,
  dictionary,
  split("ratelimit"),
  byUnit((field, unit) => `x-ratelimit-${field}-${unit}`),
  byUnit((field, unit) => `anthropic-ratelimit-${unit}-${field}`),
  split("x-ratelimit"),
  split("x-rate-limit"),
];

type RawQuota = {
  readonly name: string;
  readonly unit?: string;
  readonly remaining: unknown;
  readonly wait: ApproximateWait | undefined;
  readonly capacity?: unknown;
  readonly period?: unknown;
};

/** Returns no quota if what is left is not reported: a time alone is not a quota. */
function quota({ name, unit = REQUESTS, remaining, wait, capacity, period }: RawQuota): Quota[] {
  const left = countOf(remaining);
  if (left === undefined) return [];
  const seconds = countOf(period);
  return [
    {
      name,
      unit,
      capacity: countOf(capacity),
      period: seconds === undefined || seconds === 0 ? undefined : bounded(seconds * SECOND),
      remaining: left,
      resetAfter: wait?.ms,
      resolution: wait?.resolution ?? 0,
    },
  ];
}

function countOf(value: unknown): number | undefined {
  const fits = typeof value === "number" && Number.isFinite(value) && value >= 0;
  return fits ? Math.floor(value) : undefined;
}

function secondsOf(value: unknown): ApproximateWait | undefined {
  const isTime = typeof value === "number" && value >= 0;
  return isTime ? { ms: bounded(value * SECOND), resolution: SECOND } : undefined;
}
