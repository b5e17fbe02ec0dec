import type { Ask, Command, Decision, Drawn } from "../../../limits/core/index.ts";
import type { LimitTally } from "./recording.ts";

/** Units and the instant at which they were taken, in milliseconds since the simulation began. */
export type TimedUnits = { readonly at: number; readonly units: number };

/**
 * A call of `limit`, with the units that stores have charged for it and when. The rest comes from
 * units that the process holds.
 *
 * Store decorators copy the fields of an ask, so they also copy the field that contains this call.
 */
export class SimulatedCall {
  readonly limit: string;
  readonly key: string | undefined;
  readonly count: number;
  readonly arrived: number;
  /** The tallies in which the result is counted. */
  readonly tallies: readonly LimitTally[];
  readonly #charged: TimedUnits[] = [];
  #sentAt: number | undefined;
  /** When a store last decided on the call. */
  #decidedAt: number | undefined;

  constructor(of: Pick<SimulatedCall, "limit" | "key" | "count" | "arrived" | "tallies">) {
    this.limit = of.limit;
    this.key = of.key;
    this.count = of.count;
    this.arrived = of.arrived;
    this.tallies = of.tallies;
  }

  /** Returns the units that an admitted call took, with the instants. */
  taken({ degraded }: Decision, now: number): readonly TimedUnits[] {
    if (degraded) return [{ at: now, units: this.count }];
    const rest = this.#charged.reduce((left, { units }) => left - units, this.count);
    if (rest === 0) return this.#charged;
    // Held units are set aside before a store is asked for the rest.
    const at = this.#charged.length === 0 ? now : (this.#sentAt ?? now);
    return [...this.#charged, { at, units: rest }];
  }

  /**
   * Returns when the call was refused: when a store decided, or now if the process decided itself.
   */
  refusedAt({ degraded }: Decision, now: number): number {
    return degraded ? now : (this.#decidedAt ?? now);
  }

  /** Records that a command for this call is sent. */
  sent(now: number): void {
    this.#sentAt = now;
  }

  /** Records that a store has decided on the call. */
  decided({ ok, units }: { readonly ok: boolean; readonly units: number }, now: number): void {
    this.#decidedAt = now;
    if (ok) this.#charged.push({ at: now, units });
  }
}

/** An ask with the simulated call that it belongs to. */
export type AskOf = Ask & { readonly call?: SimulatedCall };

/** Records in its calls that a command is sent to a store. */
export function noteSent({ budgets }: Command, now: number): void {
  for (const { call } of budgets as readonly AskOf[]) call?.sent(now);
}

/** Records a store's answer in the calls of a command. Only takes and draws decide on calls. */
export function noteAnswer({ verb, budgets }: Command, answer: unknown, now: number): void {
  if (verb !== "limit" && verb !== "draw") return;
  const decisions =
    verb === "draw" ? [(answer as Drawn).decision] : (answer as readonly Decision[]);
  const ok = decisions.every((one) => one.ok);
  for (const { call, count } of budgets as readonly AskOf[])
    call?.decided({ ok, units: count }, now);
}
