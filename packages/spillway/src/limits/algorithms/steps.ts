import type {
  AnswerTo,
  Ask,
  Budget,
  Command,
  CommandOf,
  Decision,
  Drawn,
  Observer,
  Plan,
  State,
  StateSnapshot,
  Value,
} from "../core/index.ts";

import { charge, release, renew, settle } from "./charge.ts";
import { block, notCharged, unblock } from "./decide.ts";
import { reconcile, reset } from "./lifecycle.ts";
import { decideOn, override, valueOn } from "./overrides.ts";
import { penalize } from "./penalties.ts";
import { draw } from "./shares.ts";

/** Returns a budget's state, a fresh one if it has none. */
export type Find = (budget: Budget) => State;

/** A step: a function that carries out the commands of one verb, at one instant. */
type CommandStep<C extends Command> = (command: C, now: number) => AnswerTo<C>;

/**
 * Carries out all commands of a store, on states that it is given, at one instant.
 *
 * A store that holds its states in this process needs only this. The store must make the steps of a
 * command indivisible, and keep the states that they change.
 */
export class Steps {
  /** The number of budgets charged by all commands, plus the units lent. */
  charged = 0;
  readonly #find: Find;
  readonly #observer: Observer | undefined;

  /**
   * @param find Returns states, which are reconciled before use (see `reconcile`).
   * @param observer Receives the results of commands, if a cache needs them.
   */
  constructor(find: Find, observer?: Observer) {
    this.#find = find;
    this.#observer = observer;
  }

  /** Carries out a command. */
  execute<C extends Command>(command: C, now: number): AnswerTo<C> {
    return (this[command.verb] as unknown as CommandStep<C>).call(this, command, now);
  }

  limit({ budgets }: CommandOf<"limit">, now: number): readonly Decision[] {
    const decisions = this.#decide(budgets, now);
    if (!areAdmitted(decisions))
      return this.#refused(budgets, this.#counted(budgets, decisions, now), now);
    this.charged += budgets.length;
    for (const ask of budgets) {
      const state = this.#state(ask, now);
      charge(state, state.plan as Plan, ask, now);
      this.#observer?.taken(ask);
    }
    return decisions;
  }

  check({ budgets }: CommandOf<"check">, now: number): readonly Decision[] {
    const decisions = this.#decide(budgets, now);
    return areAdmitted(decisions) ? decisions : this.#refused(budgets, decisions, now);
  }

  draw({ budgets: [ask], draw: drawing }: CommandOf<"draw">, now: number): Drawn {
    const state = this.#state(ask, now);
    const drawn = draw(state, ask, drawing, now);
    const { ok } = drawn.decision;
    this.charged += Number(ok) + drawn.lent.units;
    if (drawing.back.length > 0) this.#observer?.changed(ask);
    if (ok) this.#observer?.taken(ask);
    else this.#observer?.refused(ask, { state: state.copy(), now });
    this.#state(ask, now);
    return drawn;
  }

  settle({ budgets: [budget], settlement }: CommandOf<"settle">, now: number): Value {
    this.#observer?.changed(budget);
    const state = this.#state(budget, now);
    settle(state, state.plan as Plan, settlement, now);
    // A state with nothing left in use starts again at `now`, if the clock is behind it.
    return valueOn(this.#state(budget, now), budget, now);
  }

  release({ budgets: [budget], lease }: CommandOf<"release">, now: number): boolean {
    const wasHeld = release(this.#state(budget, now), lease, now);
    this.#state(budget, now);
    return wasHeld;
  }

  renew({ budgets: [budget], lease }: CommandOf<"renew">, now: number): boolean {
    const state = this.#state(budget, now);
    return renew(state, state.plan as Plan, lease, now);
  }

  value({ budgets: [budget] }: CommandOf<"value">, now: number): Value {
    return valueOn(this.#state(budget, now), budget, now);
  }

  peek({ budgets, units }: CommandOf<"peek">, now: number): readonly StateSnapshot[] {
    return budgets.map((budget) => {
      const snapshot = { state: this.#state(budget, now).copy(), now };
      this.#observer?.refused(units === undefined ? budget : { ...budget, count: units }, snapshot);
      return snapshot;
    });
  }

  /** Also forgets a block that has ended. */
  reset({ budgets: [budget] }: CommandOf<"reset">, now: number): void {
    this.#observer?.changed(budget);
    const state = this.#state(budget, now);
    if (state.blockedUntil <= now) state.blockedUntil = 0;
    reset(state, budget, now);
  }

  block({ budgets: [budget], ms }: CommandOf<"block">, now: number): void {
    this.#observer?.changed(budget);
    const state = this.#state(budget, now);
    block(state, state.plan as Plan, ms, now);
  }

  unblock({ budgets: [budget] }: CommandOf<"unblock">, now: number): void {
    this.#observer?.changed(budget);
    unblock(this.#state(budget, now));
    this.#state(budget, now);
  }

  override(command: CommandOf<"override">, now: number): void {
    const [budget] = command.budgets;
    this.#observer?.changed(budget);
    override(this.#state(budget, now), budget, command, now);
    this.#state(budget, now);
  }

  #decide(asks: readonly Ask[], now: number): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const ask of asks) decisions.push(decideOn(this.#state(ask, now), ask, now));
    return decisions;
  }

  /** Counts the refusals of limits with `penalty`. Returns the decisions that take their place. */
  #counted(asks: readonly Ask[], decisions: readonly Decision[], now: number): readonly Decision[] {
    return decisions.map((decision, index) => {
      const ask = asks[index] as Ask;
      return penalize(this.#state(ask, now), ask, decision, now);
    });
  }

  /** Returns the decisions if one budget refuses: the others contain what is left. */
  #refused(asks: readonly Ask[], decisions: readonly Decision[], now: number): readonly Decision[] {
    return decisions.map((decision, index) => {
      const ask = asks[index] as Ask;
      const state = this.#state(ask, now);
      this.#observer?.refused(ask, { state: state.copy(), now });
      return decision.ok ? notCharged(decision, valueOn(state, ask, now)) : decision;
    });
  }

  #state(budget: Budget, now: number): State {
    const state = this.#find(budget);
    if (state.plan !== budget.plan || state.since > now) reconcile(state, budget, now);
    return state;
  }
}

function areAdmitted(decisions: readonly Decision[]): boolean {
  for (const { ok } of decisions) if (!ok) return false;
  return true;
}
