import {
  begin,
  charge,
  decide,
  notCharged,
  reconcile,
  valueAt,
} from "../../limits/algorithms/index.ts";
import { type Ask, type Decision, State } from "../../limits/core/index.ts";
import type { KeyTable } from "./key-table.ts";
import type { LimitKeys } from "./limit-keys.ts";
import type { States } from "./states.ts";

/** One of several asks that are taken together: its state, and where that is kept. */
class LoadedState {
  readonly state = new State();
  keys: LimitKeys | undefined = undefined;
  slot: number | undefined = undefined;
}

/** Asks that are taken together: all are charged, or none. */
export class JointExecution {
  readonly #keys: KeyTable;
  readonly #states: States;
  /** Kept from call to call, so that none has to be made anew. */
  readonly #places: LoadedState[] = [];

  constructor(keys: KeyTable, states: States) {
    this.#keys = keys;
    this.#states = states;
  }

  /** Decides, and charges where all are admitted. */
  limit(asks: readonly Ask[], now: number): readonly Decision[] {
    const decisions = this.decide(asks, now);
    if (decisions.every(isOk)) this.#charge(asks, now);
    return decisions;
  }

  /** Decides as if all were charged, and leaves their states in their places. */
  decide(asks: readonly Ask[], now: number): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const ask of asks) decisions.push(this.#decide(this.#place(decisions.length), ask, now));
    if (decisions.every(isOk)) return decisions;
    return decisions.map((decision, index) => {
      const { state } = this.#place(index);
      const { plan } = asks[index] as Ask;
      return decision.ok ? notCharged(decision, valueAt(state, plan, now)) : decision;
    });
  }

  /** Charges what was admitted, and is in places. A key that gets a slot may take that of another ask. */
  #charge(asks: readonly Ask[], now: number): void {
    let hasAdded = false;
    for (let index = 0; index < asks.length; index++) {
      const ask = asks[index] as Ask;
      const { state, keys, slot } = this.#places[index] as LoadedState;
      if (ask.count === 0) continue;
      charge(state, ask.plan, ask, now);
      if (slot !== undefined && (!hasAdded || keys?.slots.get(ask.key) === slot)) {
        keys?.save(slot, state);
      } else {
        hasAdded = true;
        this.#keys.add(ask, state, now);
      }
    }
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
    const decision = decide(place.state, plan, ask, now);
    const isNew = decision.ok && place.slot === undefined;
    return isNew ? this.#states.guarded(decision, ask, now) : decision;
  }
}

/** Reads the state of a place, fit to be asked; a fresh one where there is none. */
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
