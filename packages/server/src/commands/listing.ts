/** Rules as a person reads them. All pure. */
import type { Rate } from "spillway";
import { milliseconds, SECOND } from "spillway/core";
import { type Rule, unitLasting } from "../rules/index.ts";

/** A line for each rule, in columns. */
export function listing(rules: readonly Rule[]): readonly string[] {
  const width = Math.max(...rules.map(({ name }) => name.length));
  return rules.map(({ name, limit }) => `  ${name.padEnd(width)}  ${describe(limit)}`);
}

/** `5 limits`, `1 limit`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function describe(limit: Rate | "unlimited"): string {
  if (limit === "unlimited") return "unlimited";
  const { kind, rate } = limit;
  const capacity = "capacity" in limit ? (limit.capacity ?? rate) : rate;
  const most = capacity === rate ? "" : `, at most ${capacity} at once`;
  return `${kind}, ${rate} per ${periodName(limit)}${most}`;
}

function periodName({ period }: Rate): string {
  const ms = milliseconds(period) ?? 0;
  return unitLasting(ms) ?? (ms % SECOND === 0 ? `${ms / SECOND} s` : `${ms} ms`);
}
