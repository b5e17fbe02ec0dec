/**
 * What a port has to show of the lists of a request's budgets, so that a reply does not grow with them.
 *
 * Answers depend on few entries of a log, or leases: on the one whose end makes room for a call, and on the
 * newest. Those between may be merged, as long as all that several commands in turn may depend on are kept.
 */
import type { Ask, Command, Settlement } from "../../limits/core/index.ts";
import type { PortRequest } from "./request.ts";

/** Adds up what the commands on one budget depend on, in their order. */
class Needs {
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #leastBack = Number.POSITIVE_INFINITY;
  #mostBack = 0;
  /** By the commands so far: units that came back, and units that became the newest. */
  #freed = 0;
  #added = 0;
  /** Whether one of them has settled: then less may come back than the state says. */
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
    // As the steps count it: none asks whether one is left.
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
 * Four numbers for each budget of a request: for how many units there has to be room, and how many are taken
 * back from the newest entries, each the least and the most that there can be. Pure.
 */
export function listNeeds({ commands, places }: PortRequest): readonly number[] {
  const all: Needs[] = [];
  for (const [index, command] of commands.entries()) {
    for (const [nth, budget] of command.budgets.entries()) {
      const place = places[index]?.[nth] as number;
      all[place] ??= new Needs();
      all[place].add(command, budget);
    }
  }
  return all.flatMap((needs) => needs.toNumbers());
}
