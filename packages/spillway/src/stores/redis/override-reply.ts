/** Reads what the script's reply says of a state under an override; see `lua/overrides.lua`. */
import { EXACT, limitOf, OVERFLOW, planFor } from "../../limits/algorithms/index.ts";
import { type Kind, type OtherState, type Plan, State } from "../../limits/core/index.ts";
import { PortError } from "../index.ts";
import { KIND_NUMBERS, SCRIPT_REPLY } from "../port/protocol.ts";

/** The maximum number of plans to cache before the cache is cleared. Each takes about 500 bytes. */
const MOST = 1000;

const plans = new Map<string, Plan>();

/** The numbers of a definition: those of `SCRIPT_REPLY.override` between its end and its states. */
const DEFINITION = SCRIPT_REPLY.override.length - 2;

/**
 * Reads the end of an override, its definition, and the states on which answers depend if it ends.
 *
 * @param state Has the limit's own plan.
 */
export function readOverride(state: State, next: () => number): void {
  const base = state.plan as Plan;
  state.overriddenUntil = next();
  state.plan = planOf(Array.from({ length: DEFINITION }, next));
  const others: OtherState[] = [];
  const roles = [base, OVERFLOW, state.plan] as const;
  for (let left = next(); left > 0; left--) others.push(otherOf(roles[next()] as Plan, next));
  if (others.length > 0) state.others = others;
}

function otherOf(plan: Plan, next: () => number): OtherState {
  const state = new State();
  state.plan = plan;
  const [used, since, unsettled, previous] = [next(), next(), next(), next()];
  state.write({ used, since, unsettled, previous });
  return { state, until: next() };
}

/** Returns the plan of a definition, cached. Decisions have the limit's name, not the plan's. */
function planOf(numbers: readonly number[]): Plan {
  const text = numbers.join(",");
  const known = plans.get(text);
  if (known !== undefined) return known;
  const plan = compiled(numbers);
  if (plans.size >= MOST) plans.clear();
  plans.set(text, plan);
  return plan;
}

function compiled(numbers: readonly number[]): Plan {
  const [number, rate, period, capacity, debt, start] = numbers as Definition;
  const kind = (Object.keys(KIND_NUMBERS) as Kind[]).find((one) => KIND_NUMBERS[one] === number);
  if (kind === undefined) throw new PortError(`Redis sent an override of the kind ${number}`);
  const maxReserved = debt < 0 ? Number.POSITIVE_INFINITY : debt;
  const definition = { kind, rate, period, capacity, maxReserved, share: 0 };
  return planFor(
    "override",
    limitOf({ ...definition, start: start === -EXACT ? undefined : start } as Plan),
  );
}

type Definition = [
  kind: number,
  rate: number,
  period: number,
  capacity: number,
  maxReserved: number,
  start: number,
];
