import {
  begin,
  charge,
  decideOn,
  notCharged,
  penalize,
  reconcile,
  valueOn,
} from "../../limits/algorithms/index.ts";
import { type Ask, type Decision, type Plan, State } from "../../limits/core/index.ts";
import type { KeyTable } from "./key-table.ts";
import type { LimitKeys } from "./limit-keys.ts";
import type { States } from "./states.ts";

/** One ask of a joint call: its state, and the slot that the state was loaded from. */
class LoadedState {
  readonly state = new State();
  keys: LimitKeys | undefined = undefined;
  slot: number | undefined = undefined;
}

/** Executes a joint call: all asks are charged, or none is. */
export class JointExecution {
  readonly #keys: KeyTable;
  readonly #states: States;
  /** Reused from call to call, to avoid allocations. */
  readonly #places: LoadedState[] = [];

  constructor(keys: KeyTable, states: States) {
    this.#keys = keys;
    this.#states = states;
  }

  /** Decides all asks, and charges them if all are admitted. */
  limit(asks: readonly Ask[], now: number): readonly Decision[] {
    const decisions = this.decide(asks, now);
    if (!decisions.every(isOk)) return this.#penalize(asks, decisions, now);
    this.#charge(asks, now);
    return decisions;
  }

  /**
   * Decides all asks as if all were charged. Charges none; keeps the loaded states for `#charge`.
   */
  decide(asks: readonly Ask[], now: number): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const ask of asks) decisions.push(this.#decide(this.#place(decisions.length), ask, now));
    if (decisions.every(isOk)) return decisions;
    return decisions.map((decision, index) => {
      const { state } = this.#place(index);
      const value = () => valueOn(state, asks[index] as Ask, now);
      return decision.ok ? notCharged(decision, value()) : decision;
    });
  }

  /**
   * Charges the loaded states. A new key may evict the key of another ask, which then needs a new
   * slot.
   */
  #charge(asks: readonly Ask[], now: number): void {
    let hasAdded = false;
    for (let index = 0; index < asks.length; index++) {
      const ask = asks[index] as Ask;
      const place = this.#places[index] as LoadedState;
      const { state, keys, slot } = place;
      if (ask.count === 0) continue;
      charge(state, state.plan as Plan, ask, now);
      if (slot !== undefined && !hasAdded) {
        keys?.save(slot, state);
      } else {
        hasAdded = true;
        this.#save(place, ask, now);
      }
    }
  }

  /** Counts the refusals of limits with `penalty`. Returns the decisions that take their place. */
  #penalize(asks: readonly Ask[], decisions: readonly Decision[], now: number) {
    return decisions.map((decision, index) => {
      const ask = asks[index] as Ask;
      const place = this.#places[index] as LoadedState;
      const counts = place.slot !== undefined || this.#states.countsRefusal(ask, now);
      if (decision.ok || ask.settings?.penalty === undefined || !counts) return decision;
      const counted = penalize(place.state, ask, decision, now);
      this.#save(place, ask, now);
      return counted;
    });
  }

  /** Saves a loaded state, in a new slot if it had none or has lost it to another ask's new key. */
  #save({ state, keys, slot }: LoadedState, ask: Ask, now: number): void {
    if (slot !== undefined && keys?.slots.get(ask.key) === slot) keys.save(slot, state);
    else this.#keys.add(ask, state, now);
  }

  #place(index: number): LoadedState {
    if (index === this.#places.length) this.#places.push(new LoadedState());
    return this.#places[index] as LoadedState;
  }

  #decide(place: LoadedState, ask: Ask, now: number): Decision {
    const { plan, key } = ask;
    place.keys = this.#keys.of(plan);
    place.slot = place.keys?.slots.get(key);
    load(place, ask, now);
    const decision = decideOn(place.state, ask, now);
    const isNew = decision.ok && place.slot === undefined;
    return isNew ? this.#states.guarded(decision, ask, now) : decision;
  }
}

/** Loads the state of an ask, ready for a step at `now`; a fresh state if its key has no slot. */
function load({ state, keys, slot }: LoadedState, ask: Ask, now: number): void {
  if (keys === undefined || slot === undefined) {
    state.clear();
    begin(state, ask, now);
    return;
  }
  keys.load(slot, state);
  if (state.plan === ask.plan && state.since <= now) return;
  reconcile(state, ask, now);
  keys.save(slot, state);
}

function isOk({ ok }: Decision): boolean {
  return ok;
}
