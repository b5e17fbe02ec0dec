/**
 * Determines which entries of lists a port must return, so that a reply does not grow with the
 * lists.
 *
 * Answers depend on few entries of a log, or leases: on the one whose expiry makes room for a call,
 * and on the newest. Entries in between may be merged if no command of the request depends on them.
 */
import type { Ask, Command, Settlement } from "../../limits/core/index.ts";
import type { PortRequest } from "./request.ts";

/** Adds up what the commands on one budget depend on, in their order. */
class NeedsCollector {
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #leastBack = Number.POSITIVE_INFINITY;
  #mostBack = 0;
  /** Units that came back, and units that became the newest, by the commands so far. */
  #freed = 0;
  #added = 0;
  /** Whether a command so far has settled. Then fewer units may come back than the state shows. */
  #hasSettled = false;

  add(command: Command, ask: Partial<Ask>): void {
    const { verb } = command;
    if (verb === "limit" || verb === "check") this.#want(ask);
    else if (verb === "settle") this.#settle(command.settlement);
    else if (verb === "release") this.#freed += command.lease.count;
    else if (verb === "renew") this.#added += command.lease.count;
    else if (verb === "peek") this.#wantUpTo(command.units ?? Number.POSITIVE_INFINITY);
  }

  #wantUpTo(units: number): void {
    this.#least = Number.NEGATIVE_INFINITY;
    this.#most = Math.max(this.#most, units + this.#added);
  }

  #want({ count = 0, lease }: Partial<Ask>): void {
    // A count of 0 asks whether one unit is left, as in the steps.
    const units = Math.max(1, count) + (lease?.headroom ?? 0);
    this.#least = Math.min(this.#least, units - this.#freed);
    this.#most = Math.max(this.#most, units + this.#added);
    this.#added += count;
  }

  #settle({ reserved, used }: Settlement): void {
    const back = reserved - used;
    if (back > 0) {
      const least = this.#hasSettled ? 0 : Math.max(0, back - this.#added);
      this.#leastBack = Math.min(this.#leastBack, least);
      this.#mostBack += back;
      this.#freed += back;
    } else {
      this.#added -= back;
    }
    this.#hasSettled = true;
  }

  toNumbers(): readonly number[] {
    return [this.#least, this.#most, this.#leastBack, this.#mostBack];
  }
}

/**
 * Returns four numbers for each budget of a request. Pure.
 *
 * The first two are the fewest and the maximum number of units for which there must be room. The
 * last two are the fewest and the most that are taken back from the newest entries.
 */
export function listNeeds({ commands, places }: PortRequest): readonly number[] {
  const all: NeedsCollector[] = [];
  for (const [index, command] of commands.entries()) {
    for (const [nth, budget] of command.budgets.entries()) {
      const place = places[index]?.[nth] as number;
      all[place] ??= new NeedsCollector();
      all[place].add(command, budget);
    }
  }
  return all.flatMap((needs) => needs.toNumbers());
}
