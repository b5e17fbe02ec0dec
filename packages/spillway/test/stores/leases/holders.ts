/** Real processes that compete for leases, and what they were in flight together. */
import type { Concurrency } from "../../../src/limits/core/index.ts";
import { beginTogether, Child } from "../child.ts";
import type { Place } from "./places.ts";

/** What a process is to do: be in flight so many times, in so many places at once. */
export type Errand = {
  readonly place: Place;
  readonly limit: Concurrency;
  readonly atOnce: number;
  readonly times: number;
  /** Whether it is in flight once before, with one unit, until all others are in flight as well. */
  readonly meets?: boolean;
};

/** A time in flight: nanoseconds, and units. */
export type Flight = { readonly from: bigint; readonly to: bigint; readonly count: number };

const PROGRAM = new URL("./holder.ts", import.meta.url);

/** One process that holds leases. */
export class Holder extends Child {
  constructor(errand: Errand) {
    super(PROGRAM, errand);
  }

  /** The times in flight that it has told of. */
  get flights(): readonly Flight[] {
    return this.said
      .split("\n")
      .slice(1, -1)
      .filter((line) => line !== "in")
      .map((line) => {
        const [from = "", to = "", count] = line.split(" ");
        return { from: BigInt(from), to: BigInt(to), count: Number(count) };
      });
  }

  /** Kills it once it was in flight so often: whatever it holds then is never given back. */
  killAfter(flights: number): Promise<void> {
    return this.killWhen(() => this.flights.length >= flights);
  }
}

/** Starts so many, and lets them begin together. */
export function startHolders(errands: readonly Errand[]): Promise<readonly Holder[]> {
  return beginTogether(errands.map((errand) => new Holder(errand)));
}

/** Lets those who meet go on, once all of them are in flight. */
export async function letMeet(holders: readonly Holder[]): Promise<void> {
  await Promise.all(holders.map((holder) => holder.hasSaid("in\n")));
  for (const holder of holders) holder.begin();
}

/** The most units that were ever in flight at one instant. */
export function mostInFlight(flights: readonly Flight[]): number {
  const changes = flights.flatMap(({ from, to, count }) => [
    { at: from, change: count },
    { at: to, change: -count },
  ]);
  // What ends in the instant in which something else begins is over then.
  changes.sort((one, other) =>
    one.at === other.at ? one.change - other.change : one.at < other.at ? -1 : 1,
  );
  let [most, inFlight] = [0, 0];
  for (const { change } of changes) {
    inFlight += change;
    most = Math.max(most, inFlight);
  }
  return most;
}
