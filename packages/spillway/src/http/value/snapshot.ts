/**
 * The snapshot that a page receives: what a key has left, and the state from which the page
 * computes later values.
 *
 * All times are in milliseconds before or after the answer, so that the page's clock does not
 * matter.
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

/** The remaining units of one limit, as plain data that is sent. */
export type ValueSnapshot = Pick<
  Value,
  "limit" | "capacity" | "remaining" | "resetAfter" | "blockedFor" | "penalized"
> & {
  /** The state of a key whose units come back gradually; undefined if it is unknown. */
  readonly state?: SentState;
};

/** A limit, and the units that a key has used of it. */
export type SentState = {
  readonly definition: Limit;
  readonly used: number;
  readonly previous: number;
  /** How long before the answer the state's instant is, in milliseconds. */
  readonly age: number;
  /** Entries with their age in milliseconds and their units, the oldest first. */
  readonly log?: readonly (readonly [age: number, units: number])[];
};

/**
 * The maximum number of log entries that are sent. Newer entries are merged into the last one sent,
 * with the instant of the newest.
 */
const MOST_ENTRIES = 500;

/** Converts a state to plain data, with the arithmetic of its limit and no other setting. Pure. */
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

/** A state that continues from instant 0, at which its answer arrived. */
export type ResumedState = { readonly plan: Plan; readonly state: State };

/**
 * Restores a state from a snapshot; undefined if the snapshot has none.
 *
 * @throws SpillwayError if the limit is invalid; TypeError if the numbers are invalid
 */
export function resumed({
  limit,
  blockedFor,
  penalized,
  state: sent,
}: ValueSnapshot): ResumedState | undefined {
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
  const until = Math.max(0, blockedFor);
  state.blockedUntil = until;
  if (penalized) state.penalty = { refusals: 0, until, level: 0, forgottenAt: 0 };
  if (log !== undefined) state.log = logOf(log);
  return { plan, state };
}

function logOf(entries: NonNullable<SentState["log"]>): Log {
  const numbers = entries.flatMap(([age, units]) => [0 - whole(age), whole(units)]);
  return Log.from(Float64Array.from(numbers), entries.length);
}

function whole(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new TypeError(`a snapshot of a limit has ${value}, expected a whole number`);
}

/**
 * Checks a received snapshot. @throws TypeError if it is something else, such as a page of a proxy
 */
export function readSnapshot(body: unknown): ValueSnapshot {
  const { limit, capacity, remaining, resetAfter, blockedFor } = (body ?? {}) as ValueSnapshot;
  if (typeof limit !== "string") throw new TypeError("the value is not a snapshot of a limit");
  for (const value of [capacity, remaining, blockedFor]) whole(value);
  // JSON has no Infinity, so null stands for it.
  const reset = resetAfter === null ? Number.POSITIVE_INFINITY : whole(resetAfter);
  return { ...(body as ValueSnapshot), resetAfter: reset };
}
