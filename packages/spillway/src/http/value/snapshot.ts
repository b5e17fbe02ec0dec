/**
 * What a page receives of a key: what is left, and what it takes to go on counting by itself. All times
 * are milliseconds before or after the answer, so that it does not matter what time it is there.
 */
import { limitOf, planFor } from "../../limits/algorithms/index.ts";
import {
  checkLimit,
  type Limit,
  Log,
  type Plan,
  State,
  type StateSnapshot,
  type Value,
} from "../../limits/core/index.ts";

/** What is left of one limit, as it is sent: plain data. */
export type ValueSnapshot = Pick<
  Value,
  "limit" | "capacity" | "remaining" | "resetAfter" | "blockedFor"
> & {
  /** What comes back by and by, where that is known. */
  readonly state?: SentState;
};

/** A limit, and what a key has used of it. */
export type SentState = {
  readonly definition: Limit;
  readonly used: number;
  readonly previous: number;
  /** How long before the answer its instant is. */
  readonly age: number;
  /** How long before the answer, and how many units: the oldest first. */
  readonly log?: readonly (readonly [age: number, units: number])[];
};

/** Entries of a log that are sent: above it the newer ones are joined, and come back with their last. */
const MOST_ENTRIES = 500;

/** Makes a state plain data, with the arithmetic of its limit and no other setting. Pure. */
export function sentState(plan: Plan, { state, now }: StateSnapshot): SentState {
  const { used, previous, since, log } = state;
  const definition = limitOf(plan);
  const sent = { definition, used, previous, age: now - since };
  return log === undefined ? sent : { ...sent, log: entriesOf(log, now) };
}

function entriesOf(log: Log, now: number): [number, number][] {
  const entries: [number, number][] = [];
  for (let index = 0; index < log.length; index++) {
    const entry: [number, number] = [now - log.instant(index), log.units(index)];
    if (index < MOST_ENTRIES) entries.push(entry);
    else entries[MOST_ENTRIES - 1] = [entry[0], entry[1] + (entries[MOST_ENTRIES - 1]?.[1] ?? 0)];
  }
  return entries;
}

/** A state that goes on from the instant 0, at which its answer came. */
export type Resumed = { readonly plan: Plan; readonly state: State };

/**
 * Makes a state of what was sent.
 *
 * @throws SpillwayError where the limit is none; TypeError where the numbers are none.
 */
export function resumed({ limit, blockedFor, state: sent }: ValueSnapshot): Resumed | undefined {
  if (sent === undefined) return undefined;
  const { definition, used, previous, age, log } = sent;
  checkLimit(limit, definition);
  const plan = planFor(limit, definition);
  const state = new State();
  state.plan = plan;
  state.write({
    used: whole(used),
    since: 0 - whole(age),
    previous: whole(previous),
    unsettled: 0,
  });
  state.blockedUntil = Math.max(0, blockedFor);
  if (log !== undefined) state.log = logOf(log);
  return { plan, state };
}

function logOf(entries: NonNullable<SentState["log"]>): Log {
  const numbers = entries.flatMap(([age, units]) => [0 - whole(age), whole(units)]);
  return Log.from(Float64Array.from(numbers), entries.length);
}

function whole(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new TypeError(`what is left of a limit has ${value} where a whole number is expected`);
}

/** Reads what was sent. @throws TypeError where it is something else, such as a page of a proxy */
export function readSnapshot(body: unknown): ValueSnapshot {
  const { limit, capacity, remaining, resetAfter, blockedFor } = (body ?? {}) as ValueSnapshot;
  if (typeof limit !== "string") throw new TypeError("this is not what is left of a limit");
  for (const value of [capacity, remaining, blockedFor]) whole(value);
  // JSON has no Infinity: null stands for it.
  const reset = resetAfter === null ? Number.POSITIVE_INFINITY : whole(resetAfter);
  return { ...(body as ValueSnapshot), resetAfter: reset };
}
