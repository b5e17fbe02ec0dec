/**
 * What limits promise, beside what was admitted: counted by memory stores of its own, so that it knows nothing of
 * shares, regions and processes.
 */
import { RateLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import { memoryStore } from "../../../stores/memory/index.ts";
import { manualClock } from "../../manual-clock.ts";
import type { SimulatedCall, TimedUnits } from "./call.ts";

/** An admission of some units, or a refusal of all. */
type LedgerEntry = TimedUnits & { readonly call: SimulatedCall; readonly ok: boolean };

export class Ledger {
  readonly #limits: Limits;
  readonly #start: number;
  readonly #entries: LedgerEntry[] = [];

  /** @param start What the clock shows when the simulation begins. */
  constructor(limits: Limits, start: number) {
    this.#limits = limits;
    this.#start = start;
  }

  admitted(call: SimulatedCall, taken: readonly TimedUnits[]): void {
    for (const each of taken) this.#entries.push({ ...each, call, ok: true });
  }

  refused(call: SimulatedCall, at: number): void {
    this.#entries.push({ at, units: call.count, call, ok: false });
  }

  /** Counts what there was no room for, and what was refused with room. In the order of instants, not of answers. */
  settle(): void {
    this.#entries.sort((one, other) => one.at - other.at);
    const clock = manualClock(this.#start);
    const room = new MissedCapacity(this.#budget(clock));
    const take = this.#budget(clock);
    const over = new Set<SimulatedCall>();
    for (const { at, units, call, ok } of this.#entries) {
      clock.set(this.#start + Math.floor(at));
      if (!ok) room.refused(call);
      else {
        if (!take(call, units)) over.add(call);
        room.admitted(call, units);
      }
    }
    room.settle();
    for (const { tallies } of over) for (const tally of tallies) tally.over++;
  }

  /** Takes units of a call's budget, of a store where nothing was taken yet; false where they are not there. */
  #budget(clock: () => number): ChargeUnits {
    const limiter = new RateLimiter(this.#limits as never, { store: quietMemory(clock) });
    return ({ limit, key }, count) =>
      limiter.limit(limit as never, { count, ...(key !== undefined && { key }) }).ok;
  }
}

type ChargeUnits = (call: SimulatedCall, units: number) => boolean;

/**
 * The room that there was for what was refused: each of those takes its units, if they are there. Where they are
 * missing later for what was admitted, they were only used later, and the last of those had no room after all.
 */
class MissedCapacity {
  readonly #take: ChargeUnits;
  readonly #refused = new Map<string, SimulatedCall[]>();

  constructor(take: ChargeUnits) {
    this.#take = take;
  }

  refused(call: SimulatedCall): void {
    if (this.#take(call, call.count)) this.#of(call).push(call);
  }

  admitted(call: SimulatedCall, units: number): void {
    if (this.#take(call, units)) return;
    const refused = this.#of(call);
    for (let rest = units; rest > 0; ) {
      const last = refused.pop();
      if (last === undefined) return;
      rest -= last.count;
    }
  }

  settle(): void {
    for (const { tallies } of [...this.#refused.values()].flat()) {
      for (const tally of tallies) tally.refusedWithRoom++;
    }
  }

  #of({ limit, key }: SimulatedCall): SimulatedCall[] {
    const name = JSON.stringify([limit, key]);
    const calls = this.#refused.get(name) ?? [];
    this.#refused.set(name, calls);
    return calls;
  }
}

/** A memory store that says nothing of how many keys it has. */
export function quietMemory(clock: () => number) {
  return memoryStore({ clock, warn: () => {} });
}
