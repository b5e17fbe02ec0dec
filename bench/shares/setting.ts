/** What is asked for, of whom, and what a process reports of it. */
import { makeKeys, shuffled, zipf } from "../keys.ts";

/** A limit whose capacity is its rate; `period` and `share` in milliseconds. */
export type Pace = { readonly rate: number; readonly period: number };

/** How long units are held at most. */
export const SHARE = 10_000;
/** Calls in flight in a process. */
export const CALLERS = 64;
/** Milliseconds before and while it is measured. */
export const WARM_UP = 500;
export const MEASURED = 1000;

export type Traffic = {
  readonly name: string;
  readonly keys: readonly string[];
  /** Indices into `keys`, in the order in which a process asks; another order for each. */
  order(process: number): readonly number[];
  /** A limit that admits a part of what is asked. */
  readonly scarce: Pace;
};

/** A limit that admits all that a run asks for. */
export const AMPLE: Pace = { rate: 500_000_000, period: 3_600_000 };

const ASKS = 2 ** 16;

function inTurn(keys: number): Traffic["order"] {
  const numbers = shuffled(makeKeys(keys).map((_, index) => String(index))).map(Number);
  return (process) => numbers.map((_, at) => numbers[(at + process * 7) % keys] as number);
}

export const TRAFFICS: readonly Traffic[] = [
  {
    name: "hot key",
    keys: makeKeys(1),
    order: inTurn(1),
    scarce: { rate: 1000, period: 1000 },
  },
  {
    name: "100 keys",
    keys: makeKeys(100),
    order: inTurn(100),
    scarce: { rate: 100, period: 1000 },
  },
  {
    name: "10 000 Zipf keys",
    keys: makeKeys(10_000),
    order: (process) => zipf(10_000, { length: ASKS, seed: process + 1 }),
    scarce: { rate: 100, period: 1000 },
  },
];

export const PROCESSES = [1, 4] as const;

/** What a process is to do. */
export type Errand = {
  readonly contender: string;
  readonly traffic: string;
  readonly process: number;
  readonly url: string;
  readonly pace: Pace;
};

/** What it reports, by the index of the key; instants by the machine's clock. */
export type Report = {
  readonly asked: Float64Array;
  readonly admitted: Float64Array;
  readonly began: number;
  readonly ended: number;
};
