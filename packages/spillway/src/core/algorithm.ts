import type { Decision } from "./decision.ts";
import type { Kind } from "./limit.ts";
import type { Plan } from "./plan.ts";
import type { State } from "./state.ts";

/** How much of a budget is asked for. */
export type Amount = {
  /** Units to take: a whole number. 0 takes nothing and asks whether one unit is left. */
  readonly count: number;
  /** Take ahead of time what is not there yet, and start when it is. */
  readonly reserve: boolean;
};

/** An estimate that was taken, and the true number that replaces it; both in whole units. */
export type Settlement = {
  readonly reserved: number;
  readonly used: number;
};

/** How a state begins. */
export type Opening = {
  /** Parts already used: 0 for a fresh key. */
  readonly spent: number;
  /** An instant at which one of its windows begins. */
  readonly anchor: number;
};

/**
 * The arithmetic of one kind of limit, and nothing else: no clock, no store, no promise.
 *
 * Every step depends on its arguments alone. `decide` and the other questions change nothing;
 * `charge`, `settle` and `begin` leave the next state in `state`. A store makes the steps of one
 * call indivisible. `now` is in milliseconds since 1970; a `now` before `state.since` counts as
 * `state.since` (time stands still until the clock is there again).
 */
export type Algorithm = {
  readonly kind: Kind;

  /** Answers an ask of at most `plan.largest` units, as if it were charged where it is admitted. */
  decide(state: State, plan: Plan, amount: Amount, now: number): Decision;

  /** Takes what `decide` admitted. */
  charge(state: State, plan: Plan, amount: Amount, now: number): void;

  /** Replaces an estimate by the true number: up without bound, down by what is not settled yet. */
  settle(state: State, plan: Plan, settlement: Settlement, now: number): void;

  /** Parts used at `now`: 0 for a fresh key, more than `plan.full` for one in debt. */
  spent(state: State, plan: Plan, now: number): number;

  /** Milliseconds from `now` until the state equals a fresh one; 0 if it does. */
  resetAfter(state: State, plan: Plan, now: number): number;

  /** Begins a state anew. */
  begin(state: State, plan: Plan, opening: Opening, now: number): void;

  /** Whether a state written under another plan of this kind means the same under this one. */
  inherits(plan: Plan, from: Plan): boolean;
};
