/** States in the memory of this process, of rates and of leases, one budget a call. */
import { systemRandom } from "../../internal/index.ts";
import { block, decide, unblock } from "../../limits/algorithms/index.ts";
import {
  type Amount,
  type Ask,
  type Budget,
  type Clock,
  type Decision,
  type Plan,
  State,
  type Value,
} from "../../limits/core/index.ts";
import { KeyTable } from "./key-table.ts";
import type { LimitKeys } from "./limit-keys.ts";
import { States } from "./states.ts";

/** How full a memory store is. */
export type MemoryStats = {
  /** Keys whose state differs from a fresh one, or did so when it was last checked. */
  readonly keys: number;
  /** The maximum number of keys that the store keeps. */
  readonly maxKeys: number;
  /**
   * Keys that were evicted too early, for lack of room. If it is above 0, `maxKeys` is too small.
   */
  readonly evicted: number;
  /** Requests refused because their key might be one of the evicted keys. */
  readonly turnedAway: number;
};

/**
 * The steps that differ between a store whose limits may have several definitions, lent units and
 * leases, and one whose limits stay as they are.
 */
export type CoreSteps = {
  /** Prepares a state for a step at `now`. */
  reconcile(state: State, budget: Budget, now: number): void;
  /** Decides on an ask. Changes nothing. */
  decide(state: State, ask: Ask, now: number): Decision;
  /** Counts a refusal towards a penalty. Returns the decision that takes its place. */
  penalize(state: State, ask: Ask, decision: Decision, now: number): Decision;
  /** Takes an amount that was just admitted. */
  charge(state: State, plan: Plan, amount: Amount, now: number): void;
  /** Returns what a key has left. */
  value(state: State, budget: Budget, now: number): Value;
  /** Forgets what a key has used. */
  reset(state: State, budget: Budget, now: number): void;
};

/** The settings of the core of a memory store. */
export type CoreSettings = {
  readonly clock: Clock;
  readonly maxKeys: number;
  readonly steps: CoreSteps;
  /** Called once, when more than 80 % of `maxKeys` are in use. */
  readonly crowded: () => void;
};

/** The part of a memory store that all limits in this process go through. */
export class MemoryCore {
  protected readonly clock: Clock;
  protected readonly keys: KeyTable;
  protected readonly states: States;
  readonly #maxKeys: number;
  readonly #steps: CoreSteps;
  /** The state of a single request; reused by each. */
  readonly #state = new State();

  constructor({ clock, maxKeys, steps, crowded }: CoreSettings) {
    this.clock = clock;
    this.#maxKeys = maxKeys;
    this.#steps = steps;
    const seed = Math.floor(systemRandom() * 2 ** 32);
    this.keys = new KeyTable({ most: maxKeys, seed, crowded });
    this.states = new States(this.keys, steps);
  }

  limit(ask: Ask): Decision {
    const now = this.clock();
    const keys = this.keys.of(ask.plan);
    const slot = keys?.slots.get(ask.key);
    if (keys === undefined || slot === undefined) return this.#limitNew(ask, now);
    return this.#limitKnown(slot, keys, ask, now);
  }

  /** Returns how full the store is. */
  stats(): MemoryStats {
    return {
      keys: this.keys.size,
      maxKeys: this.#maxKeys,
      evicted: this.keys.evicted,
      turnedAway: this.states.turnedAway,
    };
  }

  protected reset(budget: Budget, now: number): undefined {
    const slot = this.keys.find(budget);
    if (slot === undefined) return;
    const isDropped = this.states.changeKnown(budget, now, (state) => {
      if (state.blockedUntil <= now) state.blockedUntil = 0;
      this.#steps.reset(state, budget, now);
      return isFresh(state);
    });
    if (isDropped) this.keys.drop(slot);
  }

  protected block(budget: Budget, { ms, now }: { readonly ms: number; readonly now: number }) {
    const most = Math.max(ms, this.states.refusedFor(budget, now));
    this.states.change(budget, now, (state) => {
      block(state, state.plan as Plan, most, now);
    });
    return undefined;
  }

  protected unblock(budget: Budget, now: number): undefined {
    this.states.changeKnown(budget, now, unblock);
  }

  /** Decides one ask as `limit` would, and charges nothing. */
  protected decideOne(ask: Ask, now: number): Decision {
    const decision = this.#steps.decide(this.states.find(ask, now), ask, now);
    const isNew = decision.ok && this.keys.find(ask) === undefined;
    return isNew ? this.states.guarded(decision, ask, now) : decision;
  }

  protected value(budget: Budget, now: number): Value {
    return this.states.value(budget, now);
  }

  #limitKnown(slot: number, keys: LimitKeys, ask: Ask, now: number): Decision {
    const { plan } = ask;
    const state = this.#state;
    keys.load(slot, state);
    if (state.plan !== plan || state.since > now) {
      this.#steps.reconcile(state, ask, now);
      keys.save(slot, state);
    }
    const decision =
      state.overriddenUntil === 0
        ? decide(state, plan, ask, now)
        : this.#steps.decide(state, ask, now);
    if (!decision.ok) {
      if (ask.settings?.penalty === undefined) return decision;
      const counted = this.#steps.penalize(state, ask, decision, now);
      keys.save(slot, state);
      return counted;
    }
    this.#steps.charge(state, state.plan as Plan, ask, now);
    keys.save(slot, state);
    return decision;
  }

  /** Decides for a key without a slot. It gets one if units are charged, or if a refusal counts. */
  #limitNew(ask: Ask, now: number): Decision {
    const state = this.states.find(ask, now);
    const fresh = decide(state, ask.plan, ask, now);
    if (!fresh.ok) return this.#refusedNew(state, ask, fresh, now);
    const decision = this.states.guarded(fresh, ask, now);
    if (!decision.ok || ask.count === 0) return decision;
    this.#steps.charge(state, ask.plan, ask, now);
    this.keys.add(ask, state, now);
    return decision;
  }

  #refusedNew(state: State, ask: Ask, decision: Decision, now: number): Decision {
    if (!this.states.countsRefusal(ask, now)) return decision;
    const counted = this.#steps.penalize(state, ask, decision, now);
    this.keys.add(ask, state, now);
    return counted;
  }
}

function isFresh({ used, blockedUntil, overriddenUntil, penalty, others }: State): boolean {
  const more = penalty ?? others;
  return used === 0 && blockedUntil === 0 && overriddenUntil === 0 && more === undefined;
}
