import {
  begin,
  block,
  charge,
  decide,
  notCharged,
  reconcile,
  release,
  renew,
  reset,
  settle,
  valueAt,
} from "../../algorithms/index.ts";
import {
  type AnswerTo,
  type Ask,
  type Budget,
  type Clock,
  type Command,
  type Decision,
  type LeaseRef,
  type Settlement,
  State,
  type StateSnapshot,
  type Store,
  type Value,
  type Warn,
} from "../../core/index.ts";
import { systemRandom } from "../../internal/index.ts";
import { Keys } from "./keys.ts";
import type { LimitKeys } from "./limit-keys.ts";

/** How full a memory store is. */
export type MemoryStats = {
  /** Keys with a state that differs from a fresh one's, or did when last checked. */
  readonly keys: number;
  /** The most keys there can be. */
  readonly maxKeys: number;
  /** Keys forgotten too early, because there was no room. Above 0, `maxKeys` is too small. */
  readonly evicted: number;
  /** Asks refused because their key might have been one of those. */
  readonly turnedAway: number;
};

/** What a memory store works with. */
export type MemorySettings = {
  readonly clock: Clock;
  readonly maxKeys: number;
  readonly warn: Warn;
};

/** One of several asks that are taken together: its state, and where that is kept. */
class Place {
  readonly state = new State();
  keys: LimitKeys | undefined = undefined;
  slot: number | undefined = undefined;
}

/** States in this process's memory; see `memoryStore`. */
export class MemoryStore implements Store<"now"> {
  readonly mode = "now";
  readonly isOwn = true;
  readonly #clock: Clock;
  readonly #maxKeys: number;
  readonly #keys: Keys;
  /** The state that a call is about: read from a slot, or new. */
  readonly #state = new State();
  /** The same for asks that are taken together. */
  readonly #places: Place[] = [];
  #turnedAway = 0;

  constructor({ clock, maxKeys, warn }: MemorySettings) {
    this.#clock = clock;
    this.#maxKeys = maxKeys;
    const crowded = () => warn(crowdedMessage(maxKeys));
    this.#keys = new Keys({ most: maxKeys, seed: Math.floor(systemRandom() * 2 ** 32), crowded });
  }

  limit(ask: Ask): Decision {
    const now = this.#clock();
    const keys = this.#keys.of(ask.plan);
    const slot = keys?.slots.get(ask.key);
    if (keys === undefined || slot === undefined) return this.#limitNew(ask, now);
    return this.#limitKnown(slot, keys, ask, now);
  }

  execute<C extends Command>(command: C): AnswerTo<C> {
    return this.#execute(command) as AnswerTo<C>;
  }

  #execute(command: Command): AnswerTo<Command> {
    switch (command.verb) {
      case "limit":
        return this.#limitAll(command.budgets);
      case "check":
        return this.#decideAll(command.budgets, this.#clock());
      case "settle":
        return this.#settle(command.budgets[0], command.settlement);
      case "release":
        return this.#release(command.budgets[0], command.lease);
      case "renew":
        return this.#renew(command.budgets[0], command.lease);
      case "value":
        return this.#value(command.budgets[0], this.#clock());
      case "peek":
        return this.#peek(command.budgets);
      case "reset":
        return this.#reset(command.budgets[0]);
      case "block":
        return this.#block(command.budgets[0], command.ms);
      case "unblock":
        return this.#unblock(command.budgets[0]);
    }
  }

  #limitAll(asks: readonly Ask[]): readonly Decision[] {
    const now = this.#clock();
    const decisions = this.#decideAll(asks, now);
    if (!decisions.every(isOk)) return decisions;
    this.#chargeAll(asks, now);
    return decisions;
  }

  /** Charges what was admitted, and is in places. A key that gets a slot may take that of another ask. */
  #chargeAll(asks: readonly Ask[], now: number): void {
    let hasAdded = false;
    for (let index = 0; index < asks.length; index++) {
      const ask = asks[index] as Ask;
      const { state, keys, slot } = this.#places[index] as Place;
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

  #settle(budget: Budget, settlement: Settlement): Value {
    const now = this.#clock();
    // A key without a state has nothing to get back, and needs none for that.
    if (settlement.used > settlement.reserved || this.#keys.find(budget) !== undefined) {
      this.#change(budget, now, (state) => settle(state, budget.plan, settlement, now));
    }
    return this.#value(budget, now);
  }

  #release(budget: Budget, lease: LeaseRef): boolean {
    const now = this.#clock();
    return this.#changeKnown(budget, now, (state) => release(state, lease, now)) ?? false;
  }

  #renew(budget: Budget, lease: LeaseRef): boolean {
    const now = this.#clock();
    const step = (state: State) => renew(state, budget.plan, lease, now);
    return this.#changeKnown(budget, now, step) ?? false;
  }

  #peek(budgets: readonly Budget[]): readonly StateSnapshot[] {
    const now = this.#clock();
    return budgets.map((budget) => ({ state: this.#find(budget, now).copy(), now }));
  }

  #reset(budget: Budget): undefined {
    const now = this.#clock();
    const slot = this.#keys.find(budget);
    if (slot === undefined) return;
    if (this.#read(slot, budget, now).blockedUntil <= now) this.#keys.drop(slot);
    else this.#changeKnown(budget, now, (state) => reset(state, budget, now));
  }

  #block(budget: Budget, ms: number): undefined {
    const now = this.#clock();
    const least = this.#refusedFor(budget, now);
    this.#change(budget, now, (state) => block(state, budget.plan, Math.max(ms, least), now));
  }

  #unblock(budget: Budget): undefined {
    this.#changeKnown(budget, this.#clock(), (state) => {
      state.blockedUntil = 0;
    });
  }

  /** How full the store is. */
  stats(): MemoryStats {
    return {
      keys: this.#keys.size,
      maxKeys: this.#maxKeys,
      evicted: this.#keys.evicted,
      turnedAway: this.#turnedAway,
    };
  }

  #limitKnown(slot: number, keys: LimitKeys, ask: Ask, now: number): Decision {
    const { plan } = ask;
    const state = this.#state;
    // As `#read` does: a call more would cost as much as all of it.
    keys.load(slot, state);
    if (state.plan !== plan || state.since > now) this.#reconcile(slot, ask, now);
    const decision = decide(state, plan, ask, now);
    if (!decision.ok) return decision;
    charge(state, plan, ask, now);
    keys.save(slot, state);
    return decision;
  }

  /** A key without a slot gets one only when it has taken something. */
  #limitNew(ask: Ask, now: number): Decision {
    const fresh = decide(this.#find(ask, now), ask.plan, ask, now);
    const decision = fresh.ok ? this.#guarded(fresh, ask, now) : fresh;
    if (!decision.ok || ask.count === 0) return decision;
    charge(this.#state, ask.plan, ask, now);
    this.#keys.add(ask, this.#state, now);
    return decision;
  }

  /** Leaves the states of all asks in their places. */
  #decideAll(asks: readonly Ask[], now: number): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const ask of asks) decisions.push(this.#decideAt(this.#place(decisions.length), ask, now));
    if (decisions.every(isOk)) return decisions;
    return decisions.map((decision, index) => {
      const { state } = this.#place(index);
      const { plan } = asks[index] as Ask;
      return decision.ok ? notCharged(decision, valueAt(state, plan, now)) : decision;
    });
  }

  #place(index: number): Place {
    if (index === this.#places.length) this.#places.push(new Place());
    return this.#places[index] as Place;
  }

  #decideAt(place: Place, ask: Ask, now: number): Decision {
    const { plan, key } = ask;
    place.keys = this.#keys.of(plan);
    place.slot = place.keys?.slots.get(key);
    this.#load(place, ask, now);
    const decision = decide(place.state, plan, ask, now);
    return decision.ok && place.slot === undefined ? this.#guarded(decision, ask, now) : decision;
  }

  /** The state of a place, fit to be asked; a fresh one where there is none. */
  #load({ state, keys, slot }: Place, ask: Ask, now: number): void {
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

  /** The same decision on a key without a slot, or a refusal where the guard knows it. */
  #guarded(decision: Decision, ask: Ask, now: number): Decision {
    const ms = this.#keys.refusedFor(ask, now);
    if (ms === 0) return decision;
    this.#turnedAway++;
    const refused = { ok: false, remaining: 0, retryAfter: ms, resetAfter: ms } as const;
    return { ...decision, ...refused, reason: "limited" };
  }

  #value(budget: Budget, now: number): Value {
    const value = valueAt(this.#find(budget, now), budget.plan, now);
    const ms = this.#refusedFor(budget, now);
    return ms === 0 ? value : { ...value, remaining: 0, resetAfter: ms };
  }

  /** Milliseconds for which the guard refuses a budget without a slot; 0 for one with a slot. */
  #refusedFor(budget: Budget, now: number): number {
    const ms = this.#keys.refusedFor(budget, now);
    return ms > 0 && this.#keys.find(budget) === undefined ? ms : 0;
  }

  /** The state of a budget, or a fresh one that is kept nowhere. */
  #find(budget: Budget, now: number): State {
    const slot = this.#keys.find(budget);
    if (slot !== undefined) return this.#read(slot, budget, now);
    this.#state.clear();
    begin(this.#state, budget, now);
    return this.#state;
  }

  /** A slot's state, fit to be asked. */
  #read(slot: number, budget: Budget, now: number): State {
    const state = this.#state;
    this.#keys.load(slot, budget.plan, state);
    if (state.plan !== budget.plan || state.since > now) this.#reconcile(slot, budget, now);
    return state;
  }

  #reconcile(slot: number, budget: Budget, now: number): void {
    reconcile(this.#state, budget, now);
    this.#keys.save(slot, budget.plan, this.#state);
  }

  /** Changes the state of a budget, if it has a slot. */
  #changeKnown<T>(budget: Budget, now: number, step: (state: State) => T): T | undefined {
    const slot = this.#keys.find(budget);
    if (slot === undefined) return undefined;
    const state = this.#read(slot, budget, now);
    const answer = step(state);
    // What says nothing any more need not wait for a clock that is behind.
    if (state.since > now) reconcile(state, budget, now);
    this.#keys.save(slot, budget.plan, state);
    return answer;
  }

  /**
   * Changes the state of a budget, which gets a slot if it has none. What the guard refused stays
   * refused there.
   */
  #change(budget: Budget, now: number, step: (state: State) => void): void {
    if (this.#keys.find(budget) !== undefined) {
      this.#changeKnown(budget, now, step);
      return;
    }
    const ms = this.#refusedFor(budget, now);
    const state = this.#find(budget, now);
    if (ms > 0) state.blockedUntil = now + ms;
    step(state);
    this.#keys.add(budget, state, now);
  }
}

function crowdedMessage(maxKeys: number): string {
  return (
    `a memory store has used 80 % of its ${maxKeys} keys. Beyond them, keys that used little are forgotten, ` +
    "and some new ones are refused. Raise `maxKeys`, or find out who sends so many keys"
  );
}

function isOk({ ok }: Decision): boolean {
  return ok;
}
