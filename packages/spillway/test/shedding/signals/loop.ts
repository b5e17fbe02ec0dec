/** A process whose event loop idles or works as told; it prints what the signals say of it. */
import { setTimeout } from "node:timers/promises";
import { eventLoopDelay } from "../../../src/shedding/signals/event-loop-delay.ts";
import { eventLoopUtilization } from "../../../src/shedding/signals/event-loop-utilization.ts";

const LIMIT = 100;
const utilization = eventLoopUtilization();
const delay = eventLoopDelay({ limit: LIMIT });

await setTimeout(1500);
const idle = { utilization: utilization(), delay: delay() };
work(500);
const busy = { utilization: utilization(), delay: delay() };

// Every turn is blocked, and read once: the turn that reads is the one that matters.
const turns: (number | undefined)[] = [];
for (let turn = 0; turn < 4; turn++) {
  await setTimeout(1);
  work(100);
  turns.push(delay());
}

// Nothing ends it: that the signals still watch must not keep it.
console.log(JSON.stringify({ idle, busy, turns }));

function work(ms: number): void {
  const start = performance.now();
  while (performance.now() - start < ms);
}
