/** A setup as a program, and as a rule file. All functions are pure. */
import { DAY, HOUR, MINUTE, SECOND } from "spillway";
import { hasWindows, type LimitSetup } from "./limit-setup.ts";
import { KEY, MOST_DECISIONS } from "./play.ts";
import type { Setup } from "./setup.ts";
import { readTrafficPhases } from "./traffic.ts";

const CONSTANTS: ReadonlyMap<number, string> = new Map([
  [SECOND, "SECOND"],
  [MINUTE, "MINUTE"],
  [HOUR, "HOUR"],
  [DAY, "DAY"],
]);

/** A module for Node that plays the traffic on the limit, and prints what was admitted. */
export function programOf(setup: Setup, limit: LimitSetup): string {
  const constant = CONSTANTS.get(limit.period);
  const names = [...(constant === undefined ? [] : [constant]), "RateLimiter"].join(", ");
  return `import { ${names} } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// In production, leave the store out: time passes by itself.
const clock = manualClock();
const begin = clock();
const limiter = new RateLimiter(
  { requests: ${fieldsOf(setup, limit)} },
  { store: memoryStore({ clock }) },
);

${arrivalsCode(setup)}
${setup.obeys ? obeyingLoop(setup) : plainLoop(setup)}
console.log(\`\${admitted} admitted, \${refused} refused, the longest wait \${longest} ms\`);
`;
}

/** The definition of a limit, as an object. */
function fieldsOf({ aligned }: Setup, { kind, rate, period, capacity }: LimitSetup): string {
  const fields = [
    `kind: ${JSON.stringify(kind)}`,
    `rate: ${rate}`,
    `period: ${CONSTANTS.get(period) ?? JSON.stringify(`${period}ms`)}`,
    ...(capacity === undefined ? [] : [`capacity: ${capacity}`]),
    ...(hasWindows(kind) && aligned ? ["start: begin"] : []),
  ];
  return `{ ${fields.join(", ")} }`;
}

function arrivalsCode({ traffic, times }: Setup): string {
  if (times !== undefined) return `const arrivals = ${JSON.stringify(times)}; // milliseconds`;
  const phases = readTrafficPhases(traffic).map(
    ({ count, distance, duration }) =>
      `  { count: ${count}, distance: ${distance}, duration: ${duration} },`,
  );
  return `// ${traffic.replaceAll(/\s+/g, " ")}, in milliseconds
const phases = [
${phases.join("\n")}
];
const arrivals = [];
let start = 0;
for (const { count, distance, duration } of phases) {
  for (let index = 0; index < count; index++) arrivals.push(start + Math.floor(index * distance));
  start += duration;
}`;
}

const COUNTERS = `let admitted = 0;
let refused = 0;
let longest = 0;`;

function callOf(setup: Setup): string {
  const count = setup.units === 1 ? "" : `, count: ${setup.units}`;
  return `limiter.limit("requests", { key: ${JSON.stringify(KEY)}${count} })`;
}

function plainLoop(setup: Setup): string {
  return `
${COUNTERS}
for (const at of arrivals) {
  clock.set(begin + at);
  const { ok, retryAfter } = ${callOf(setup)};
  if (ok) admitted++;
  else refused++;
  longest = Math.max(longest, retryAfter);
}`;
}

function obeyingLoop(setup: Setup): string {
  return `
${COUNTERS}
const queue = [...arrivals];
while (queue.length > 0 && admitted + refused < ${MOST_DECISIONS}) {
  const at = queue.shift();
  clock.set(begin + at);
  const { ok, retryAfter } = ${callOf(setup)};
  if (ok) admitted++;
  else refused++;
  longest = Math.max(longest, retryAfter);
  if (ok || retryAfter === Infinity) continue;
  // The client comes back exactly when it may, after those who came before it.
  const next = queue.findIndex((other) => other > at + retryAfter);
  queue.splice(next === -1 ? queue.length : next, 0, at + retryAfter);
}`;
}

/** Units of rule files, by their milliseconds. */
const UNITS: ReadonlyMap<number, string> = new Map([
  [SECOND, "second"],
  [MINUTE, "minute"],
  [HOUR, "hour"],
  [DAY, "day"],
]);

/** A rule file with one limit for each user. `spillway check` accepts it. */
export function ruleOf(setup: Setup, { kind, rate, period, capacity }: LimitSetup): string {
  const unit = UNITS.get(period);
  const lines = [
    `kind: ${kind}`,
    unit === undefined ? `period: ${period}ms` : `unit: ${unit}`,
    `requests_per_unit: ${rate}`,
    ...(capacity === undefined ? [] : [`capacity: ${capacity}`]),
    ...(hasWindows(kind) && !setup.aligned ? ["start: per key"] : []),
  ];
  const fields = lines.map((line) => `      ${line}\n`).join("");
  return `domain: playground\ndescriptors:\n  - key: user\n    rate_limit:\n${fields}`;
}
