/** Formats a limit as text to paste. All functions are pure. */
import type { Rate } from "spillway";
import { unitLasting } from "../../rules/index.ts";
import { UNITS } from "./units.ts";

/** Returns the lines of a program. */
export function asProgram(limit: Rate): readonly string[] {
  const period = limit.period as number;
  const constant = UNITS.find(({ ms }) => ms === period)?.constant;
  const names = ["RateLimiter", ...(constant === undefined ? [] : [constant])].toSorted();
  const fields = [
    `kind: ${JSON.stringify(limit.kind)}`,
    `rate: ${limit.rate}`,
    `period: ${constant ?? JSON.stringify(withSuffix(period))}`,
    ...capacityOf(limit).map((capacity) => `capacity: ${capacity}`),
  ];
  return [
    `import { ${names.join(", ")} } from "spillway";`,
    `const limiter = new RateLimiter({ requests: { ${fields.join(", ")} } });`,
    `const { ok, retryAfter } = limiter.limit("requests", { key: "user 42" });`,
  ];
}

/** Returns the lines of a descriptor in a rule file. */
export function asRule(limit: Rate): readonly string[] {
  const period = limit.period as number;
  const unit = unitLasting(period);
  const fields = [
    `kind: ${limit.kind}`,
    unit === undefined ? `period: ${withSuffix(period)}` : `unit: ${unit}`,
    `requests_per_unit: ${limit.rate}`,
    ...capacityOf(limit).map((capacity) => `capacity: ${capacity}`),
  ];
  return ["- key: user", `  rate_limit: { ${fields.join(", ")} }`];
}

function capacityOf(limit: Rate): readonly number[] {
  return "capacity" in limit && limit.capacity !== undefined ? [limit.capacity] : [];
}

/** Formats a period in the longest fitting unit, at most days. */
function withSuffix(period: number): string {
  const unit = UNITS.find(({ ms, shown }) => shown !== undefined && period % ms === 0);
  return unit === undefined ? `${period}ms` : `${period / unit.ms}${unit.names[0]}`;
}
