/** Reads what few of the script's replies have; see `lua/main.lua`. */
import { Leases, Log, type PenaltyRecord, type State } from "../../limits/core/index.ts";
import { readOverride } from "./override-reply.ts";

/**
 * Reads settled units, previous windows, blocks, penalty records and overrides; then all lists.
 */
export function readMore(states: readonly (State | Error)[], numbers: readonly number[]): void {
  let at = 0;
  const next = () => numbers[at++] as number;
  for (let left = next(); left > 0; left--) {
    const place = next();
    const state = states[Math.abs(place) - 1] as State;
    state.unsettled -= next();
    state.previous = next();
    const block = next();
    state.blockedUntil = block < 0 ? -1 - block : block;
    if (block < 0) state.penalty = readRecord(next);
    if (place < 0) readOverride(state, next);
  }
  for (const state of states) if (!(state instanceof Error)) readList(state, next);
}

function readRecord(next: () => number): PenaltyRecord {
  const [refusals, until, level, forgottenAt] = [next(), next(), next(), next()];
  return { refusals, until, level, forgottenAt };
}

function readList(state: State, next: () => number): void {
  const list = state.plan?.algorithm.list;
  if (list === "log") {
    const entries = next();
    state.log = new Log();
    state.log.isSummary = entries < 0;
    for (let left = Math.abs(entries); left > 0; left--) {
      state.log.push({ instant: next(), units: next() });
    }
  } else if (list === "leases") {
    state.leases = new Leases();
    for (let left = next(); left > 0; left--) {
      state.leases.add({ until: next(), units: next(), id: next() });
    }
  } else if (list === "shares") {
    const size = next();
    if (size > 0) state.leases = readShares(size, next);
  }
}

function readShares(size: number, next: () => number): Leases {
  const numbers: number[] = [];
  for (let left = size; left > 0; left--) {
    const [until, units, id] = [next(), next(), next()];
    numbers.push(id, units, until);
  }
  return Leases.from(numbers);
}
