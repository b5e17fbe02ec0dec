/**
 * Compares what was admitted with what the limits allow. It counts in memory stores of its own,
 * without shares, regions and processes.
 */
import { RateLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import { memoryStore } from "../../../stores/memory/index.ts";
import { manualClock } from "../../manual-clock.ts";
import type { SimulatedCall, TimedUnits } from "./call.ts";

/**
 * A line of the ledger: some units of a call that were admitted, or all units of a refused call.
 */
type LedgerEntry = TimedUnits & { readonly call: SimulatedCall; readonly ok: boolean };

export class Ledger {
  readonly #limits: Limits;
  readonly #start: number;
  readonly #entries: LedgerEntry[] = [];

  /** @param start The clock's value when the simulation begins, in milliseconds since 1970. */
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

  /**
   * Counts admissions beyond the limit, and refusals that had capacity. Uses the instants of
   * decisions, not of answers.
   */
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

  /**
   * Returns a function that takes a call's units from a new store. It returns false if they are not
   * available.
   */
  #budget(clock: () => number): ChargeUnits {
    const limiter = new RateLimiter(this.#limits as never, { store: quietMemory(clock) });
    return ({ limit, key }, count) =>
      limiter.limit(limit as never, { count, ...(key !== undefined && { key }) }).ok;
  }
}

type ChargeUnits = (call: SimulatedCall, units: number) => boolean;

/**
 * Finds the refused calls for which there was capacity. Each refused call takes its units, if they
 * are available.
 *
 * If units are missing later for an admitted call, that call needed the same units. Then the latest
 * of those refused calls no longer count as having had capacity.
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

/** Returns a memory store that never warns about its number of keys. */
export function quietMemory(clock: () => number) {
  return memoryStore({ clock, warn: () => {} });
}
