/** A setup as a program, and as a rule file. All functions are pure. */
import { DAY, HOUR, MINUTE, SECOND } from "spillway";
import {
  type ConcurrencySetup,
  hasWindows,
  isConcurrency,
  type LimitSetup,
  type RateSetup,
} from "./limit-setup.ts";
import { MOST_DECISIONS } from "./play.ts";
import type { Setup } from "./setup.ts";
import { KEY } from "./stage.ts";
import { durationText } from "./texts.ts";
import { readTrafficPhases } from "./traffic.ts";

const CONSTANTS: ReadonlyMap<number, string> = new Map([
  [SECOND, "SECOND"],
  [MINUTE, "MINUTE"],
  [HOUR, "HOUR"],
  [DAY, "DAY"],
]);

/** A module for Node that plays the traffic on the limit, and prints what was admitted. */
export function programOf(setup: Setup, limit: LimitSetup): string {
  const constant = isConcurrency(limit) ? undefined : CONSTANTS.get(limit.period);
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
${isConcurrency(limit) ? endCode(limit) : ""}${setup.obeys ? obeyingLoop(setup, limit) : plainLoop(setup, limit)}
console.log(\`\${admitted} admitted, \${refused} refused, the longest wait \${longest} ms\`);
`;
}

/** The definition of a limit, as an object. */
function fieldsOf({ aligned }: Setup, limit: LimitSetup): string {
  if (isConcurrency(limit)) {
    const { kind, capacity, ttl } = limit;
    return `{ kind: "${kind}", capacity: ${capacity}, ttl: "${durationText(ttl)}" }`;
  }
  const { kind, rate, period, capacity } = limit;
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

/** Ends the work that is over. All work lasts as long, so the first one ends first. */
function endCode({ work }: ConcurrencySetup): string {
  return `
const running = []; // each works for ${work} ms
function endWork(at) {
  while (running.length > 0 && running[0].until <= at) {
    const { until, lease } = running.shift();
    clock.set(begin + until);
    lease.release();
  }
}
`;
}

/** Moves the clock to a request, and decides on it. */
function decisionCode({ units }: Setup, limit: LimitSetup): string {
  const asked = `{ key: ${JSON.stringify(KEY)}${units === 1 ? "" : `, count: ${units}`} }`;
  const answered = `  const { ok, retryAfter } =`;
  const counted = `  if (ok) admitted++;
  else refused++;
  longest = Math.max(longest, retryAfter);`;
  if (!isConcurrency(limit)) {
    return `  clock.set(begin + at);\n${answered} limiter.limit("requests", ${asked});\n${counted}`;
  }
  return `  endWork(at);
  clock.set(begin + at);
  const lease = limiter.acquire("requests", ${asked});
${answered} lease;
  if (ok) running.push({ until: at + ${limit.work}, lease });
${counted}`;
}

function plainLoop(setup: Setup, limit: LimitSetup): string {
  return `
${COUNTERS}
for (const at of arrivals) {
${decisionCode(setup, limit)}
}`;
}

function obeyingLoop(setup: Setup, limit: LimitSetup): string {
  return `
${COUNTERS}
const queue = [...arrivals];
while (queue.length > 0 && admitted + refused < ${MOST_DECISIONS}) {
  const at = queue.shift();
${decisionCode(setup, limit)}
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
export function ruleOf(setup: Setup, limit: LimitSetup): string {
  const lines = isConcurrency(limit)
    ? [`kind: ${limit.kind}`, `capacity: ${limit.capacity}`, `ttl: ${durationText(limit.ttl)}`]
    : rateLines(setup, limit);
  const fields = lines.map((line) => `      ${line}\n`).join("");
  return `domain: playground\ndescriptors:\n  - key: user\n    rate_limit:\n${fields}`;
}

function rateLines({ aligned }: Setup, { kind, rate, period, capacity }: RateSetup) {
  const unit = UNITS.get(period);
  return [
    `kind: ${kind}`,
    unit === undefined ? `period: ${period}ms` : `unit: ${unit}`,
    `requests_per_unit: ${rate}`,
    ...(capacity === undefined ? [] : [`capacity: ${capacity}`]),
    ...(hasWindows(kind) && !aligned ? ["start: per key"] : []),
  ];
}
