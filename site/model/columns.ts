/** A play as columns of numbers, which pass between threads without a copy. All functions are pure. */
import type { Decision } from "spillway";
import type { LimitSetup } from "./limit-setup.ts";
import type { Play } from "./play.ts";
import type { Played } from "./played.ts";
import { sentencesOf } from "./summary.ts";

/** Numbers of decisions by their order; times are milliseconds from the beginning. */
export type Columns = {
  readonly at: Float64Array<ArrayBuffer>;
  readonly request: Uint32Array<ArrayBuffer>;
  readonly attempt: Uint32Array<ArrayBuffer>;
  /** 0 if admitted, or the number of the reason in `REASONS`. */
  readonly reason: Uint8Array<ArrayBuffer>;
  readonly capacity: Float64Array<ArrayBuffer>;
  readonly remaining: Float64Array<ArrayBuffer>;
  readonly retryAfter: Float64Array<ArrayBuffer>;
  readonly resetAfter: Float64Array<ArrayBuffer>;
  /** Instants at which what is left changes, and what is left from then on. */
  readonly readAt: Float64Array<ArrayBuffer>;
  readonly left: Float64Array<ArrayBuffer>;
};

export type PlayedColumns = {
  readonly limit: LimitSetup;
  readonly columns: Columns;
  readonly end: number;
  readonly sentences: readonly string[];
};

const REASONS: readonly (Decision["reason"] | "admitted")[] = ["admitted", "limited", "too large"];

export function columnsOf(play: Play): PlayedColumns {
  const { decisions, readings, limit, end } = play;
  const numbers = (of: (played: Played) => number) => Float64Array.from(decisions, of);
  const columns = {
    at: numbers(({ at }) => at),
    request: Uint32Array.from(decisions, ({ request }) => request),
    attempt: Uint32Array.from(decisions, ({ attempt }) => attempt),
    reason: Uint8Array.from(decisions, ({ ok, reason }) => (ok ? 0 : REASONS.indexOf(reason))),
    capacity: numbers(({ capacity }) => capacity),
    remaining: numbers(({ remaining }) => remaining),
    retryAfter: numbers(({ retryAfter }) => retryAfter),
    resetAfter: numbers(({ resetAfter }) => resetAfter),
    readAt: Float64Array.from(readings, ({ at }) => at),
    left: Float64Array.from(readings, ({ remaining }) => remaining),
  };
  return { limit, columns, end, sentences: sentencesOf(play) };
}

/** All instants of plays that have a decision, in order, each once. */
export function instantsOf(plays: readonly PlayedColumns[]): Float64Array<ArrayBuffer> {
  const [first, ...others] = plays.map(({ columns }) => columns.at);
  if (first === undefined) return new Float64Array();
  // The decisions of one play are in order.
  const all = others.length === 0 ? first : joined([first, ...others]).sort();
  return all.filter((at, index) => at !== all[index - 1]);
}

function joined(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

/** The buffers of columns, to hand over to another thread. */
export function buffersOf({ columns }: PlayedColumns): ArrayBuffer[] {
  return Object.values(columns).map(({ buffer }) => buffer);
}

/** The decision at a place of the order. */
export function decisionAt(columns: Columns, index: number): Played {
  const number = columns.reason[index] ?? 0;
  const reason = REASONS[number];
  const numbers = (column: Float64Array | Uint32Array) => column[index] ?? 0;
  return {
    at: numbers(columns.at),
    request: numbers(columns.request),
    attempt: numbers(columns.attempt),
    ok: number === 0,
    capacity: numbers(columns.capacity),
    remaining: numbers(columns.remaining),
    retryAfter: numbers(columns.retryAfter),
    resetAfter: numbers(columns.resetAfter),
    ...(number !== 0 && reason !== "admitted" && reason !== undefined && { reason }),
  };
}

/** The order's first place at an instant or later. */
export function firstFrom(at: Float64Array, instant: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All decisions as comma-separated values, with a head. */
export function csvOf(columns: Columns): string {
  const rows = Array.from(columns.at, (_, index) => {
    const { at, request, attempt, ok, reason, ...rest } = decisionAt(columns, index);
    const { remaining, retryAfter, resetAfter } = rest;
    return [at, request, attempt, ok, reason ?? "", remaining, retryAfter, resetAfter].join(",");
  });
  return ["at,request,attempt,ok,reason,remaining,retryAfter,resetAfter", ...rows, ""].join("\n");
}
