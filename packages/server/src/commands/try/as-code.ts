/** A limit as text to paste. All pure. */
import { DAY, HOUR, MINUTE, type Rate, SECOND } from "spillway";
import { unitLasting } from "../../rules/index.ts";

const CONSTANTS: ReadonlyMap<number, string> = new Map([
  [SECOND, "SECOND"],
  [MINUTE, "MINUTE"],
  [HOUR, "HOUR"],
  [DAY, "DAY"],
]);

const SUFFIXES = [
  ["d", DAY],
  ["h", HOUR],
  ["m", MINUTE],
  ["s", SECOND],
  ["ms", 1],
] as const;

/** A program's lines. */
export function asProgram(limit: Rate): readonly string[] {
  const period = limit.period as number;
  const constant = CONSTANTS.get(period);
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

/** The lines of a descriptor in a rule file. */
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

function withSuffix(ms: number): string {
  const [suffix, size] = SUFFIXES.find(([, unit]) => ms % unit === 0) ?? ["ms", 1];
  return `${ms / size}${suffix}`;
}
