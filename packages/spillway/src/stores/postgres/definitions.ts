/** Converts definitions of limits to text, as rows and the SQL functions have it, and back. */
import { limitOf, planFor } from "../../limits/algorithms/index.ts";
import type { Limit, Plan } from "../../limits/core/index.ts";
import { KIND_NUMBERS } from "../index.ts";
import { kindNumber } from "../port/protocol.ts";

/** The maximum number of overrides to cache before the cache is cleared. Each takes about 1 kB. */
const MOST = 1000;

const definitions = new WeakMap<Plan, string>();
const overrides = new Map<string, Plan>();

/** Returns a plan as text, as rows keep it. Cached. */
export function definitionOf(plan: Plan): string {
  const known = definitions.get(plan);
  if (known !== undefined) return known;
  const { rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks } = plan;
  const arithmetic = [rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks];
  const windows = [plan.windowAlignment, plan.start ?? "-"];
  // Definitions with different `maxReserved` are different, even if their arithmetic is the same.
  const definition = [kindNumber(plan), ...arithmetic, ...windows, plan.maxReserved];
  const text = definition.join(":");
  definitions.set(plan, text);
  return text;
}

/**
 * Adds how long units are lent, in milliseconds. Rows do not contain it, so a change of it is no
 * new definition.
 */
export function sentDefinition(plan: Plan): string {
  return plan.share > 0 ? `${definitionOf(plan)}/${plan.share}` : definitionOf(plan);
}

/** Returns the plan of an override, which has the name of the limit. Cached. */
export function overridePlan(definition: string, { limit }: Plan): Plan {
  const name = `${definition} ${limit}`;
  const known = overrides.get(name);
  if (known !== undefined) return known;
  const plan = planFor(limit, limitFrom(definition));
  if (overrides.size >= MOST) overrides.clear();
  overrides.set(name, plan);
  return plan;
}

function limitFrom(definition: string): Limit {
  const fields = definition.split(":");
  const [number, rate, period, ticksPerUnit, , capacityTicks, , , , maxReserved] = fields.map(
    Number,
  ) as [number, number, number, number, number, number, number, number, number, number];
  const start = fields[8] === "-" ? undefined : Number(fields[8]);
  const capacity = capacityTicks / ticksPerUnit;
  const [kind] = Object.entries(KIND_NUMBERS).find(([, known]) => known === number) as [string, 1];
  const numbers = { rate, period, capacity, maxReserved };
  return limitOf({ kind, start, share: 0 } as Plan, numbers);
}
