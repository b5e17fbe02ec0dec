import type { Plan } from "../../limits/core/index.ts";
import { kindNumber } from "../port/protocol.ts";

/** What distinguishes a definition from others of the same limit: in values, and in the names of lists. */
export function definitionOf(plan: Plan): string {
  const { rate, period, capacity, maxReserved, start } = plan;
  const held = capacity === rate ? undefined : capacity;
  const debt = maxReserved === Number.POSITIVE_INFINITY ? undefined : maxReserved;
  const fields = [kindNumber(plan), rate, period, held, debt, start].map(toBase36);
  // Each value holds it: what is left out at the end says the same.
  return fields.join(",").replace(/(?:,-)+$/, "");
}

function toBase36(number: number | undefined): string {
  return number === undefined ? "-" : number.toString(36);
}
