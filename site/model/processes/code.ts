/** Processes as a program for Node, which prints the same numbers. Pure. */
import { isConcurrency } from "../limit-setup.ts";
import { type ProcessesSetup, SECONDS, sharedLimit } from "./setup.ts";

/** A module for Node that plays the processes, and prints what each admitted and refused. */
export function processesProgram(setup: ProcessesSetup): string {
  const end = setup.ends >= 1 && setup.ends <= setup.processes;
  return `import { RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { lent } from "spillway/store";
import { manualClock, seededRandom } from "spillway/testing";

// In production: redisStore(…) or postgresStore(…), which lend by themselves, and real time.
const clock = manualClock();
const begin = clock();
const store = memoryStore({ clock });
let storeCalls = 0;
const remote = {
  timing: "now",
  execute(command) {
    storeCalls++;
    return store.execute(command);
  },
};

const timers = [];
function goTo(at) {
  for (timers.sort((a, b) => a.at - b.at); timers[0]?.at <= at; timers.sort((a, b) => a.at - b.at)) {
    const next = timers.shift();
    clock.set(begin + next.at);
    next.call();
  }
  clock.set(begin + at);
}

const limits = { calls: ${JSON.stringify(sharedLimit(setup))} };
const processes = Array.from({ length: ${setup.processes} }, (_, index) => {
  const process = { isOpen: true, isUp: true, admitted: 0, refused: 0 };
  const elapsed = () => clock() - begin;
  const afterDelay = (ms, call) =>
    timers.push({ at: elapsed() + ms, call: () => process.isUp && call() });
  const scheduler = { elapsed, afterDelay };
  const random = seededRandom(index + 1);
  const limiter = new RateLimiter(limits, { store: lent(remote, { clock, scheduler, random }) });
  return Object.assign(process, { limiter, afterDelay });
});
${end ? endCode(setup) : ""}
for (let call = 0; call < ${SECONDS * setup.load}; call++) {
  goTo(Math.floor((call * 1000) / ${setup.load}));
  const open = processes.filter(({ isOpen }) => isOpen);
  const process = open[call % open.length];
  if (process === undefined) continue;
${callCode(setup)}
  if (ok) process.admitted++;
  else process.refused++;
}
goTo(${SECONDS * 1000});
for (const [index, { admitted, refused }] of processes.entries()) {
  console.log(\`process \${index + 1}: \${admitted} admitted, \${refused} refused\`);
}
console.log(\`\${storeCalls} calls to the store\`);
`;
}

function endCode({ ends, at, givesBack }: ProcessesSetup): string {
  const how = givesBack
    ? "ending.limiter.giveBack();"
    : "ending.isUp = false; // killed: it releases nothing";
  return `
const ending = processes[${ends - 1}];
timers.push({
  at: ${at * 1000},
  call() {
    ending.isOpen = false;
    ${how}
  },
});
`;
}

function callCode({ limit }: ProcessesSetup): string {
  if (!isConcurrency(limit)) return `  const { ok } = process.limiter.limit("calls");`;
  return `  const lease = process.limiter.acquire("calls");
  const { ok } = lease;
  if (ok) process.afterDelay(${limit.work}, () => lease.release());`;
}
