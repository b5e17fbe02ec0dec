import { EXACT, OVERFLOW, planFor } from "../../limits/algorithms/index.ts";
import {
  Leases,
  Log,
  type OtherState,
  type PenaltyRecord,
  type Plan,
  State,
} from "../../limits/core/index.ts";
import { PortError, type PortRequest, type Reply } from "../index.ts";
import { overridePlan } from "./definitions.ts";

/** The format "now charged state;state;…"; see `sql/execute.sql`. */
const REPLY = /^(\d+) (\d+) (.*)$/;

/** The numbers of a state that is kept beside an override's. */
const OTHER = 5;
/** The most numbers of a state without a penalty record, and of one with it. */
const WITHOUT_RECORD = 5;
const WITH_RECORD = 9;
/** Stands for a definition of which only matters that it has a place. No limit equals it. */
const ANY: Plan = /* @__PURE__ */ planFor("any", {
  kind: "token bucket",
  rate: 0,
  period: 1,
  capacity: 0,
});

/** Replaces the state of a budget that a statement has left: see `sql/take-present.sql`. */
export const LEFT = new Error("left to another statement");

/**
 * Decodes the reply of the functions in `sql/` to a request. Pure.
 *
 * @param order The places of the budgets in the order of the reply; undefined if they are in the
 * request's order.
 * @throws PortError if the reply is not one of these functions.
 */
export function readReply(
  request: PortRequest,
  reply: string,
  order: readonly number[] | undefined,
): Reply {
  const { plans } = request;
  const [, now, charged, all] = REPLY.exec(reply) ?? [];
  const texts = all?.split(";") ?? [];
  if (texts.length !== plans.length) {
    throw new PortError("Postgres sent a reply that Spillway's functions don't produce");
  }
  const states = new Array<State | Error>(texts.length);
  for (const [index, text] of texts.entries()) {
    const place = order?.[index] ?? index;
    states[place] = text === "" ? LEFT : stateFrom(text, plans[place] as Plan);
  }
  if (request.keepsLists) markSummaries(request, states);
  return { now: Number(now), charged: Number(charged), states };
}

/**
 * Marks logs in which entries that no answer depends on were merged: see `listNeeds`. A peeked log
 * is complete.
 */
function markSummaries({ commands, places }: PortRequest, states: Reply["states"]): void {
  const peeked = new Set(commands.flatMap(({ verb }, nth) => (verb === "peek" ? places[nth] : [])));
  for (const [place, state] of states.entries()) {
    if (state instanceof State && state.log) state.log.isSummary = !peeked.has(place);
  }
}

function stateFrom(text: string, plan: Plan): State {
  const [numbers = "", list, ...override] = text.split(":");
  const state = fromNumbers(toNumbers(numbers), plan);
  if (list === undefined) return state;
  if (override.length > 0) putInPlace(state, override);
  if (list === "") return state;
  const { list: kept } = (state.plan as Plan).algorithm;
  if (kept === "leases" || kept === "shares") state.leases = leasesFrom(toNumbers(list));
  else state.log = logFrom(toNumbers(list));
  return state;
}

function fromNumbers(numbers: readonly number[], plan: Plan): State {
  const [used = 0, since = 0, unsettled = used, previous = 0, blockedUntil = 0] = numbers;
  const state = new State();
  state.plan = plan;
  state.write({ used, since, previous, unsettled });
  state.blockedUntil = blockedUntil;
  if (numbers.length === WITH_RECORD) state.penalty = recordFrom(numbers.slice(WITHOUT_RECORD));
  return state;
}

function recordFrom([refusals, until, level, forgottenAt]: readonly number[]): PenaltyRecord {
  return { refusals, until, level, forgottenAt } as PenaltyRecord;
}

/** Adds an override to a state, with what its end depends on; see `sql/overrides.sql`. */
function putInPlace(state: State, [end, kept = "", ...definition]: readonly string[]): void {
  const plan = state.plan as Plan;
  state.plan = overridePlan(definition.join(":"), plan);
  state.overriddenUntil = Number(end);
  const numbers = toNumbers(kept);
  if (numbers.length === OTHER) {
    state.others = [otherFrom(numbers, plan)];
    return;
  }
  const [count, ...record] = numbers;
  const others = Array.from({ length: count as number }, () => otherFrom([0, 0, 0, 0, EXACT], ANY));
  state.others = record.length === 0 ? others : [...others, otherFrom(record, OVERFLOW)];
}

function otherFrom(
  [used = 0, since = 0, unsettled, previous, until = 0]: readonly number[],
  plan: Plan,
): OtherState {
  return { state: fromNumbers([used, since, unsettled, previous] as number[], plan), until };
}

function logFrom(numbers: readonly number[]): Log {
  const log = new Log();
  for (let at = 0; at < numbers.length; at += 2) {
    log.push({ instant: numbers[at] as number, units: numbers[at + 1] as number });
  }
  return log;
}

function leasesFrom(numbers: readonly number[]): Leases {
  const leases = new Leases();
  for (let at = 0; at < numbers.length; at += 3) {
    const [until, units, id] = numbers.slice(at, at + 3) as [number, number, number];
    leases.add({ id, until, units });
  }
  return leases;
}

function toNumbers(text: string): readonly number[] {
  return text.split(",").map(Number);
}
