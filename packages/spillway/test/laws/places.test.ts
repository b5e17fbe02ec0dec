/** Law 1 with places that processes keep: no more is in flight than the capacity, whatever happens. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Concurrency } from "../../src/limits/core/index.ts";
import { runs } from "../runs.ts";
import { PlacesWorld, type Process } from "./places-world.ts";

const OTHER = planFor("other", { kind: "token bucket", rate: 1, period: 500, capacity: 2 });

const limits: fc.Arbitrary<Concurrency> = fc.record({
  kind: fc.constant("concurrency" as const),
  capacity: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 12 })),
  ttl: fc.oneof(fc.integer({ min: 20, max: 300 }), fc.integer({ min: 20, max: 5000 })),
  share: fc.oneof(fc.integer({ min: 100, max: 300 }), fc.integer({ min: 100, max: 5000 })),
});

type Event = {
  readonly type: (typeof USUAL)[number] | (typeof RARE)[number];
  readonly who: number;
  readonly count: number;
  readonly ms: number;
};

/** Those that happen most are here most often. */
const USUAL = [
  ...Array<"ask">(10).fill("ask"),
  ...Array<"release">(8).fill("release"),
  ...Array<"deliver">(4).fill("deliver"),
  ...Array<"deliver all">(8).fill("deliver all"),
  ...Array<"pause">(3).fill("pause"),
  ...(["renew", "renew", "lose", "repeat", "together", "headroom", "hold out", "last"] as const),
  ...(["release all", "crash", "suspend", "step back", "check", "value"] as const),
] as const;

/** After these less is handed out. */
const RARE = ["fill", "long pause", "reset", "block", "unblock", "close"] as const;

const events = fc.array(
  fc.record<Event>({
    type: fc.oneof(
      { weight: 25, arbitrary: fc.constantFrom(...USUAL) },
      { weight: 1, arbitrary: fc.constantFrom(...RARE) },
    ),
    who: fc.oneof(fc.constant(0), fc.nat({ max: 2 })),
    count: fc.oneof(
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 4 }) },
    ),
    ms: fc.nat({ max: 60 }),
  }),
  { minLength: 40, maxLength: 150, size: "max" },
);

function happen(world: PlacesWorld, { type, who, count, ms }: Event): void {
  const process = world.processes[who] as Process;
  const { share, period } = world.plan;
  if (type === "ask") world.ask(process, { count });
  else if (type === "headroom") world.ask(process, { count, headroom: ms % 4 });
  else if (type === "together") world.ask(process, { count, other: OTHER });
  else if (type === "release" || type === "renew") world.change(process, type, ms);
  else if (type === "deliver" || type === "lose" || type === "repeat") world.transmit(type, ms);
  else if (type === "pause") world.pass(ms);
  else if (type === "long pause") world.pass(50 * ms);
  // To the very end of the time for which places are handed out, or are held.
  else if (type === "hold out") world.pass(Math.max(0, share + 2 - (ms % 8)));
  else if (type === "last") world.pass(Math.max(0, period + 4 - (ms % 8)));
  else if (type === "crash") world.crash(process);
  else if (type === "suspend") world.sleep(process, 50 * ms);
  else if (type === "step back") world.stepBack(process, 100 * ms);
  else if (type === "release all")
    for (let left = 12; left > 0; left--) world.change(process, "release", 0);
  else if (type === "close") world.giveBack(process);
  else if (type !== "fill" && type !== "deliver all") world.command(process, type);
}

/** Answers reach those who wait for them. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await undefined;
}

/** Takes all that there is: what processes keep, and what the store has. */
async function fill(world: PlacesWorld): Promise<void> {
  for (const process of world.processes) {
    for (let asks = 0; asks < 13; asks++) world.ask(process, { count: 1 });
    await settled();
    await deliverAll(world);
  }
}

async function deliverAll(world: PlacesWorld): Promise<void> {
  while (world.underWay > 0) {
    world.transmit("deliver", 0);
    await settled();
  }
}

async function run(limit: Concurrency, schedule: readonly Event[]): Promise<PlacesWorld> {
  const world = new PlacesWorld(limit);
  for (const event of schedule) {
    happen(world, event);
    await settled();
    if (event.type === "fill") await fill(world);
    if (event.type === "deliver all") await deliverAll(world);
  }
  await fill(world);
  return world;
}

describe("law 1 with places kept in processes", () => {
  test("whatever becomes of messages, processes and clocks, no more is in flight than there may be", async () => {
    let here = 0;
    await fc.assert(
      fc.asyncProperty(limits, events, async (limit, schedule) => {
        const world = await run(limit, schedule);
        here += world.admittedHere;
        expect(world.excess).toBeLessThanOrEqual(0);
        // A block from elsewhere is seen in time.
        expect(world.admittedLate).toBe(0);
      }),
      { numRuns: runs(1000) },
    );
    // Else nothing was tried.
    expect(here).toBeGreaterThan(500);
  });
});
