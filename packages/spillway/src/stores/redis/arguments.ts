import type { Plan } from "../../core/index.ts";
import { KIND_NUMBERS, type PortRequest } from "../../store/index.ts";

/** Each plan as the script reads it: written once. */
const written = new WeakMap<Plan, readonly string[]>();

/**
 * A request as the script's ARGV; see `lua/take.lua`.
 *
 * @param now The time for the script to go by; undefined for the server's own.
 */
export function argumentsOf(request: PortRequest, now: number | undefined): string[] {
  const { names, sent } = request;
  const owners = sent.length > 1 ? `[${request.owners}]` : "";
  const extras = request.needsExtras ? `[${request.extras.map(orAll)}]` : "";
  const steps = request.takesOneOfEach ? "" : `[${request.steps}]`;
  const all = [now === undefined ? "" : `${now}`, `${names.length}`, owners, extras, steps];
  for (const plan of sent) all.push(...writtenOf(plan));
  return all;
}

/** JSON has no infinity: what is to be shown as a whole is -1. */
function orAll(extra: number): number {
  return extra === Number.POSITIVE_INFINITY ? -1 : extra;
}

function writtenOf(plan: Plan): readonly string[] {
  const known = written.get(plan);
  if (known !== undefined) return known;
  const {
    kind,
    rate,
    period,
    capacity,
    maxReserved,
    start,
    ticksPerUnit,
    refillPerMs,
    capacityTicks,
    debtTicks,
  } = plan;
  const debt = maxReserved === Number.POSITIVE_INFINITY ? undefined : maxReserved;
  const definition = [KIND_NUMBERS[kind], rate, period, capacity, debt, start].map(toBase36);
  const numbers = [ticksPerUnit, refillPerMs, capacityTicks, debtTicks, rate, period].map(String);
  const texts = [definition.join(","), ...numbers];
  written.set(plan, texts);
  return texts;
}

function toBase36(number: number | undefined): string {
  return number === undefined ? "-" : number.toString(36);
}
