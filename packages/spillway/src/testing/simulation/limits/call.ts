import type { Ask, Command, Decision, Drawn } from "../../../limits/core/index.ts";
import type { LimitTally } from "./recording.ts";

/** Units that were taken at an instant, in milliseconds since the simulation began. */
export type TimedUnits = { readonly at: number; readonly units: number };

/**
 * A call of `limit`, and which of its units stores have charged, and when: the rest is taken of units that the
 * process holds. Decorators copy the fields of a call, and so this as well.
 */
export class SimulatedCall {
  readonly limit: string;
  readonly key: string | undefined;
  readonly count: number;
  readonly arrived: number;
  /** Where what becomes of it is counted. */
  readonly tallies: readonly LimitTally[];
  readonly #charged: TimedUnits[] = [];
  #sentAt: number | undefined;
  /** When a store decided on it last. */
  #decidedAt: number | undefined;

  constructor(of: Pick<SimulatedCall, "limit" | "key" | "count" | "arrived" | "tallies">) {
    this.limit = of.limit;
    this.key = of.key;
    this.count = of.count;
    this.arrived = of.arrived;
    this.tallies = of.tallies;
  }

  /** What was taken, and when, now that it is admitted. */
  taken({ degraded }: Decision, now: number): readonly TimedUnits[] {
    if (degraded) return [{ at: now, units: this.count }];
    const rest = this.#charged.reduce((left, { units }) => left - units, this.count);
    if (rest === 0) return this.#charged;
    // What is held is set aside before a store is asked for the rest.
    const at = this.#charged.length === 0 ? now : (this.#sentAt ?? now);
    return [...this.#charged, { at, units: rest }];
  }

  /** When it was refused: by a store, or here. */
  refusedAt({ degraded }: Decision, now: number): number {
    return degraded ? now : (this.#decidedAt ?? now);
  }

  /** Notes that a command that asks for it is sent. */
  sent(now: number): void {
    this.#sentAt = now;
  }

  /** Notes that a store has decided on it. */
  decided({ ok, units }: { readonly ok: boolean; readonly units: number }, now: number): void {
    this.#decidedAt = now;
    if (ok) this.#charged.push({ at: now, units });
  }
}

/** A call that says for which call it is. */
export type AskOf = Ask & { readonly call?: SimulatedCall };

/** Notes that a command is sent to a store. */
export function noteSent({ budgets }: Command, now: number): void {
  for (const { call } of budgets as readonly AskOf[]) call?.sent(now);
}

/** Notes what a store has answered to a command. */
export function noteAnswer({ verb, budgets }: Command, answer: unknown, now: number): void {
  if (verb !== "limit" && verb !== "draw") return;
  const decisions =
    verb === "draw" ? [(answer as Drawn).decision] : (answer as readonly Decision[]);
  const ok = decisions.every((one) => one.ok);
  for (const { call, count } of budgets as readonly AskOf[])
    call?.decided({ ok, units: count }, now);
}
