/** What is left of each quota, in every form that servers send. */
import { SECOND } from "../../limits/core/index.ts";
import type { AnswerHeaders } from "./answer-headers.ts";
import type { Bare, Member } from "./fields.ts";
import { bounded, type Wait, waitOf } from "./times.ts";

/** What an answer says of one quota. Times are milliseconds from the answer; undefined: not said. */
export type Quota = {
  /** What the server calls it; "requests" where it has no name. */
  readonly name: string;
  /** What is counted: "requests", or something else that a request may use any number of. */
  readonly unit: string;
  /** The most that can be left. */
  readonly capacity: number | undefined;
  /** How long it is for, where that is said. */
  readonly period: number | undefined;
  /** Whole units left. */
  readonly remaining: number;
  /** Until there is more: at most so long, and at least that less `resolution`. */
  readonly resetAfter: number | undefined;
  readonly resolution: number;
};

type Reader = (answer: AnswerHeaders, now: number) => readonly Quota[];

/** What is said of quotas, in the first form that says anything. Pure, and never throws. */
export function quotasOf(answer: AnswerHeaders, now: number): readonly Quota[] {
  for (const reader of READERS) {
    const quotas = reader(answer, now);
    if (quotas.length > 0) return quotas;
  }
  return [];
}

const REQUESTS = "requests";

/** draft-ietf-httpapi-ratelimit-headers from its version 8 on: `"burst";r=50;t=30`. */
const draft: Reader = (answer) => {
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

type Policy = { readonly capacity: unknown; readonly period: unknown; readonly unit: string };

function policiesOf(list: readonly Member[]): ReadonlyMap<string, Policy> {
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
const dictionary: Reader = (answer) => {
  const fields = new Map(answer.members("ratelimit").map(({ key, value }) => [key, value]));
  const capacity = fields.get("limit");
  const wait = secondsOf(fields.get("reset"));
  const period = periodOf(answer.members("ratelimit-policy"), capacity);
  return quota({ name: REQUESTS, remaining: fields.get("remaining"), wait, capacity, period });
};

/** Versions up to 6, and what came before: three headers. `RateLimit-Limit` may list policies, too. */
function split(prefix: string): Reader {
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

/** The period of that of several policies which has the same quota: `10;w=1, 50;w=60`. */
function periodOf(policies: readonly Member[], capacity: Bare | undefined): unknown {
  const known = policies.filter(({ parameters }) => parameters.has("w"));
  const same = known.filter(({ value }) => value === capacity);
  const [only] = same.length > 0 ? same : known;
  return same.length === 1 || known.length === 1 ? only?.parameters.get("w") : undefined;
}

/** One set of headers for each of several units, as APIs of language models have. */
function byUnit(names: (field: "limit" | "remaining" | "reset", unit: string) => string): Reader {
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

const READERS: readonly Reader[] = [
  draft,
  dictionary,
  split("ratelimit"),
  byUnit((field, unit) => `x-ratelimit-${field}-${unit}`),
  byUnit((field, unit) => `anthropic-ratelimit-${unit}-${field}`),
  split("x-ratelimit"),
  split("x-rate-limit"),
];

type Said = {
  readonly name: string;
  readonly unit?: string;
  readonly remaining: unknown;
  readonly wait: Wait | undefined;
  readonly capacity?: unknown;
  readonly period?: unknown;
};

/** None where what is left is not said: a time alone is no quota. */
function quota({ name, unit = REQUESTS, remaining, wait, capacity, period }: Said): Quota[] {
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

function secondsOf(value: unknown): Wait | undefined {
  const isTime = typeof value === "number" && value >= 0;
  return isTime ? { ms: bounded(value * SECOND), resolution: SECOND } : undefined;
}
