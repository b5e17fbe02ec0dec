/** Law 1 with processes as they are: they draw by demand, give back what is idle, and decide in memory. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Limit, Plan } from "../../src/limits/core/index.ts";
import { runs } from "../runs.ts";
import { lentLimits } from "./lent-limits.ts";
import { LentWorld, type Process } from "./lent-world.ts";
import { Meter } from "./meter.ts";

const OTHER = planFor("other", { kind: "token bucket", rate: 1, period: 500, capacity: 2 });

/** One definition of a limit mostly, two in a deploy. */
const definitions = fc.oneof(
  fc.tuple(lentLimits),
  fc.tuple(lentLimits),
  fc.tuple(lentLimits, lentLimits),
);

type Event = {
  readonly type: (typeof TYPES)[number];
  readonly who: number;
  readonly count: number;
  readonly ms: number;
};

/** Those that happen most are here most often. */
const TYPES = [
  ...Array<"ask">(8).fill("ask"),
  ...Array<"deliver">(12).fill("deliver"),
  ...Array<"pause">(4).fill("pause"),
  ...(["lose", "together", "hold out", "end soon", "long pause", "drain"] as const),
  ...([
    "reset",
    "reload",
    "block",
    "unblock",
    "value",
    "crash",
    "suspend",
    "step back",
    "close",
  ] as const),
] as const;

const events = fc.array(
  fc.record<Event>({
    type: fc.constantFrom(...TYPES),
    who: fc.nat({ max: 2 }),
    count: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 4 })),
    ms: fc.nat({ max: 60 }),
  }),
  { minLength: 40, maxLength: 150, size: "max" },
);

function happen(world: LentWorld, { type, who, count, ms }: Event): void {
  const process = world.processes[who] as Process;
  if (type === "ask") for (let left = ms % 4; left >= 0; left--) world.ask(process, count);
  else if (type === "deliver" || type === "lose") world.transmit(type, ms);
  else if (type === "pause") world.pass(ms);
  else if (type === "long pause") world.pass(50 * ms);
  else if (type === "hold out") world.pass(Math.max(0, process.plan.share + 2 - (ms % 8)));
  // What is not used goes back.
  else if (type === "end soon") world.pass(Math.ceil(process.plan.share * 0.9) + (ms % 3));
  else if (type === "together") world.askTogether(process, count, OTHER);
  else if (type === "crash") process.isUp = false;
  else if (type === "suspend") world.sleep(process, 50 * ms);
  else if (type === "step back") world.stepBack(process, 100 * ms);
  else if (type === "close") world.giveBack(process);
  else if (type === "reload") process.plan = world.plans[ms % world.plans.length] as Plan;
  else if (type !== "drain") world.command(process, type);
}

/** Answers reach those who wait for them. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await undefined;
}

/** Uses all that there is: what processes hold, and what the store has. */
async function drain(world: LentWorld): Promise<void> {
  for (const process of world.processes) {
    for (let asks = 0; asks < 40; asks++) world.ask(process, 1);
    await settled();
    while (world.underWay > 0) {
      world.transmit("deliver", 0);
      await settled();
    }
  }
}

async function run(limits: readonly Limit[], schedule: readonly Event[]) {
  const world = new LentWorld(limits, (plan) => new Meter(plan));
  for (const event of schedule) {
    happen(world, event);
    await settled();
    if (event.type === "drain") await drain(world);
  }
  await drain(world);
  return world;
}

describe("law 1 with units held in processes", () => {
  test("whatever becomes of messages, processes and clocks, no more is admitted than promised", async () => {
    let here = 0;
    await fc.assert(
      fc.asyncProperty(definitions, events, async (limits, schedule) => {
        const world = await run(limits, schedule);
        here += world.admittedHere;
        expect(world.excess).toBeLessThanOrEqual(0);
      }),
      { numRuns: runs(700) },
    );
    // Else nothing was tried.
    expect(here).toBeGreaterThan(1000);
  });
});
