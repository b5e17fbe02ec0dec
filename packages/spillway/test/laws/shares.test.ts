/**
 * Law 1 with shares: whatever becomes of messages, processes and their clocks, a limit of which units
 * are lent admits no more than without. A random world in virtual time, and meters that know only the
 * admissions.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Ask, Limit, Plan, ShareRef } from "../../src/limits/core/index.ts";
import { Holder } from "../../src/stores/lending/holder.ts";
import type { ClockReading } from "../../src/stores/lending/readings.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { lentLimits } from "./lent-limits.ts";
import { Meter } from "./meter.ts";

/** What happens next. Processes, definitions and messages are drawn by number. */
type Event =
  | {
      readonly type: "take" | "ask" | "giveUp" | "crash" | "suspend";
      readonly who: number;
      readonly count: number;
    }
  | {
      readonly type: "draw";
      readonly who: number;
      readonly count: number;
      readonly want: number;
      readonly back: boolean;
    }
  | { readonly type: "deliver" | "repeat" | "lose"; readonly which: number }
  | { readonly type: "pause"; readonly ms: number }
  | { readonly type: "holdOut"; readonly before: number }
  | { readonly type: "windowEnd"; readonly before: number }
  | { readonly type: "drain" }
  | { readonly type: "stepBack"; readonly who: number; readonly ms: number }
  | { readonly type: "reset" | "block" | "unblock" | "deploy"; readonly who: number };

const who = fc.nat({ max: 2 });
const count = fc.integer({ min: 0, max: 4 });

const named = <T extends string>(...types: T[]) => fc.constantFrom(...types);
const few = fc.integer({ min: 1, max: 3 });
const short = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 3000 }));

const draws = fc.record({
  type: named("draw"),
  who,
  count,
  want: fc.integer({ min: 0, max: 15 }),
  back: fc.boolean(),
});

const events = fc.array(
  fc.oneof<fc.WeightedArbitrary<Event>[]>(
    { weight: 7, arbitrary: fc.record({ type: named("take"), who, count: few }) },
    { weight: 2, arbitrary: fc.record({ type: named("ask"), who, count }) },
    { weight: 5, arbitrary: draws },
    { weight: 8, arbitrary: fc.record({ type: named("deliver"), which: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ type: named("repeat", "lose"), which: fc.nat() }) },
    { weight: 4, arbitrary: fc.record({ type: named("pause"), ms: short }) },
    // To the very end of the time for which units may be held, or a little beyond.
    {
      weight: 1,
      arbitrary: fc.record({ type: named("holdOut"), before: fc.integer({ min: -2, max: 9 }) }),
    },
    // Units that are held in a window may not be used in the next, not even in its first millisecond.
    {
      weight: 1,
      arbitrary: fc.record({ type: named("windowEnd"), before: fc.integer({ min: -1, max: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ type: named("drain") }) },
    { weight: 1, arbitrary: fc.record({ type: named("giveUp", "crash", "suspend"), who, count }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: named("stepBack"), who, ms: fc.nat({ max: 5000 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: named("reset", "block", "unblock", "deploy"), who }),
    },
  ),
  { maxLength: 120, size: "max" },
);

/** A process: its clocks go a little wrong, and it knows one definition. */
type Process = {
  holder: Holder;
  plan: Plan;
  meter: Meter;
  readonly speed: number;
  /** How much its clock that never steps has missed, while the machine slept. */
  asleep: number;
  /** How far the machine's clock has stepped back. */
  behind: number;
};

type Message = { readonly to: "store" | Process; readonly deliver: () => void };

/** A store, processes, and messages between them. */
class World {
  readonly clock = manualClock();
  readonly #store = memoryStore({ clock: this.clock });
  readonly #processes: Process[];
  readonly #definitions: { readonly plan: Plan; readonly meter: Meter }[];
  #messages: Message[] = [];
  #ids = 0;

  constructor(limits: readonly Limit[]) {
    this.#definitions = limits.map((limit) => {
      const plan = planFor("it", limit);
      return { plan, meter: new Meter(plan) };
    });
    // Two know the one definition, one the other.
    this.#processes = [0.9992, 1.0008, 1].map((speed, index) => ({
      holder: new Holder(),
      ...(this.#definitions[index >> 1] as { plan: Plan; meter: Meter }),
      speed,
      asleep: 0,
      behind: 0,
    }));
  }

  get excess(): number {
    return Math.max(...this.#definitions.map(({ meter }) => meter.excess));
  }

  happen(event: Event): void {
    if (event.type === "pause") this.clock.advance(event.ms);
    else if (event.type === "holdOut") this.#holdOut(event.before);
    else if (event.type === "windowEnd") this.#endWindow(event.before);
    else if (event.type === "drain") this.drain();
    else this.#happenTo(event);
  }

  /** Uses all that there is: what processes hold, and what the store has. */
  drain(): void {
    for (const process of this.#processes) {
      while (process.holder.take(1, this.#reading(process))) this.#admit(process, 1);
    }
    for (const process of this.#processes) {
      const ask = this.#askOf(process, 1);
      while (this.#store.limit(ask).ok) this.#admit(process, 1);
    }
  }

  #holdOut(before: number): void {
    const { share } = (this.#processes[0] as Process).plan;
    this.clock.advance(Math.max(0, share - before));
  }

  #endWindow(before: number): void {
    const { period } = (this.#processes[0] as Process).plan;
    this.clock.advance(Math.max(0, period - (this.clock() % period) - before));
  }

  #happenTo(event: Exclude<Event, { type: "pause" | "holdOut" | "windowEnd" | "drain" }>): void {
    if ("which" in event) {
      this.#transmit(event.type, event.which);
      return;
    }
    const process = this.#processes[event.who] as Process;
    switch (event.type) {
      case "take":
        if (process.holder.take(event.count, this.#reading(process)))
          this.#admit(process, event.count);
        return;
      case "ask":
        this.#ask(process, event.count);
        return;
      case "draw":
        this.#draw(process, event);
        return;
      case "stepBack":
        if (process.asleep === 0) process.behind += event.ms;
        return;
      case "giveUp":
        this.#send(process, { back: process.holder.giveUp() });
        return;
      case "crash":
        process.holder = new Holder();
        return;
      case "suspend":
        // Stopped, or with its machine: no clock shows a sleep that a step back has hidden.
        if (process.behind === 0) process.asleep += 500 * event.count;
        this.clock.advance(500 * event.count);
        return;
      case "deploy":
        // What the old process held is lost with it, and its successor knows the other definition.
        process.holder = new Holder();
        Object.assign(
          process,
          this.#definitions[process.plan === this.#definitions[0]?.plan ? 1 : 0],
        );
        return;
      default:
        this.#command(process, event.type);
        return;
    }
  }

  #reading({ speed, asleep, behind }: Process): ClockReading {
    const now = this.clock();
    return { elapsed: (now - asleep) * speed, wall: Math.floor(now * speed) - behind };
  }

  #admit({ meter }: Process, units: number): void {
    meter.add(this.clock(), units);
  }

  #askOf({ plan }: Process, count: number): Ask {
    return { plan, key: "k", count, reserve: false };
  }

  #ask(process: Process, count: number): void {
    if (this.#store.limit(this.#askOf(process, count)).ok) this.#admit(process, count);
  }

  #command(process: Process, verb: "reset" | "block" | "unblock"): void {
    const budgets = [this.#askOf(process, 0)] as const;
    if (verb === "block") this.#store.execute({ verb, budgets, ms: 200 });
    else this.#store.execute({ verb, budgets });
    // What was admitted before counts no more, under any definition.
    if (verb === "reset") for (const { meter } of this.#definitions) meter.reset();
  }

  #draw(process: Process, event: Extract<Event, { type: "draw" }>): void {
    const { count, want } = event;
    if (event.back) this.#send(process, { back: process.holder.giveUp(), count, want });
    else this.#send(process, { left: process.holder.report(), count, want });
  }

  #send(
    process: Process,
    said: { left?: readonly ShareRef[]; back?: readonly ShareRef[]; count?: number; want?: number },
  ): void {
    const { left = [], back = [], count = 0, want = 0 } = said;
    const id = ++this.#ids;
    const { holder, meter } = process;
    const ask = this.#askOf(process, count);
    const { share } = process.plan;
    holder.send(id, this.#reading(process));
    const deliver = () => {
      const drawn = this.#store.execute({
        verb: "draw",
        budgets: [ask],
        draw: { id, want, left, back },
      });
      // A count that was charged is admitted once, if at all: what is charged twice is admitted less.
      if (drawn.decision.ok) meter.add(this.clock(), count);
      const answer = () => holder.accept(id, drawn.lent, share);
      this.#messages.push({ to: process, deliver: answer });
    };
    this.#messages.push({ to: "store", deliver });
  }

  #transmit(how: "deliver" | "repeat" | "lose", which: number): void {
    if (this.#messages.length === 0) return;
    const index = which % this.#messages.length;
    const message = this.#messages[index] as Message;
    if (how !== "repeat") this.#messages.splice(index, 1);
    if (how !== "lose") message.deliver();
  }
}

describe("law 1 with shares", () => {
  test("whatever becomes of messages, processes and clocks, no more is admitted than promised", () => {
    fc.assert(
      fc.property(lentLimits, lentLimits, events, (limit, other, schedule) => {
        const world = new World([limit, other]);
        for (const event of schedule) world.happen(event);
        world.drain();
        expect(world.excess).toBeLessThanOrEqual(0);
      }),
      { numRuns: runs(10_000) },
    );
  });
});
