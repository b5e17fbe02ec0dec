import type { Plan } from "../../core/index.ts";
import { ASK, KIND_NUMBERS, type PortRequest, SCRIPT_STEPS, STEPS } from "../../store/index.ts";

/** Each plan as the script reads it: written once. */
const written = new WeakMap<Plan, string>();

const TAKE = STEPS.take.number;
const TAKE_UNITS = SCRIPT_STEPS["take units"].number;
/** How many numbers follow that of a step, without the asks of `take`. */
const FIELDS: ReadonlyMap<number, number> = new Map(
  Object.values(STEPS).map(({ number, fields }) => [number, fields.length]),
);

/**
 * A request as the script's ARGV; see `lua/main.lua`.
 *
 * @param now The time for the script to go by; undefined for the server's own.
 */
export function argumentsOf(request: PortRequest, now: number | undefined): string[] {
  const plans = `[${request.sent.map(planText)}]`;
  const fields = requestText(request);
  if (now !== undefined) return [plans, fields, `${now}`];
  return fields === "" ? [plans] : [plans, fields];
}

/** What the script can't tell from its keys and plans; empty where that is nothing. */
function requestText({ names, sent, owners, extras, ...request }: PortRequest): string {
  const { needsExtras, takesOneOfEach } = request;
  if (sent.length === 1 && takesOneOfEach && !needsExtras) return "";
  const { steps, areUnits } = takesOneOfEach
    ? { steps: undefined, areUnits: true }
    : shortened(request.steps);
  let text = `{"budgets":${names.length}`;
  if (sent.length > 1) text += `,"owners":[${owners}]`;
  if (needsExtras) text += `,"extras":[${extras.map(orAll)}]`;
  else if (areUnits) text += `,"takes_units":true`;
  if (steps !== undefined) text += `,"steps":[${steps}]`;
  return `${text}}`;
}

/** Steps, of which those are shorter that take a unit from each of their budgets; and whether all do. */
function shortened(steps: readonly number[]) {
  const all: number[] = [];
  let areUnits = true;
  for (let at = 0; at < steps.length; ) {
    const step = steps[at] as number;
    const asks = step === TAKE ? (steps[at + 1] as number) : 0;
    const first = at + 1 + (FIELDS.get(step) ?? 0);
    const end = first + asks * ASK.length;
    if (asks > 0 && asksForUnits(steps, first, end)) {
      all.push(TAKE_UNITS, asks);
      for (let ask = first; ask < end; ask += ASK.length) all.push(steps[ask] as number);
    } else {
      if (step < 0) areUnits = false;
      for (let index = at; index < end; index++) all.push(steps[index] as number);
    }
    at = end;
  }
  return { steps: all, areUnits };
}

/** Whether each of some asks takes one unit, and nothing else is said of any. */
function asksForUnits(steps: readonly number[], first: number, end: number): boolean {
  for (let ask = first; ask < end; ask += ASK.length) {
    if (steps[ask + ASK.indexOf("count")] !== 1) return false;
    for (let field = ASK.indexOf("reserve"); field < ASK.length; field++) {
      if (steps[ask + field] !== 0) return false;
    }
  }
  return true;
}

/** JSON has no infinity: what is to be shown as a whole is -1. */
function orAll(extra: number): number {
  return extra === Number.POSITIVE_INFINITY ? -1 : extra;
}

function planText(plan: Plan): string {
  const known = written.get(plan);
  if (known !== undefined) return known;
  const { kind, rate, period, capacity, maxReserved, start } = plan;
  const debt = maxReserved === Number.POSITIVE_INFINITY ? undefined : maxReserved;
  const definition = [KIND_NUMBERS[kind], rate, period, capacity, debt, start].map(toBase36);
  const { ticksPerUnit, refillPerMs, capacityTicks, debtTicks } = plan;
  const numbers = [rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks];
  const text = JSON.stringify([`${definition.join(",")}\n`, KIND_NUMBERS[kind], ...numbers]);
  written.set(plan, text);
  return text;
}

function toBase36(number: number | undefined): string {
  return number === undefined ? "-" : number.toString(36);
}
