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
  type Ask,
  type Budget,
  type Clock,
  type Decision,
  type LeaseRef,
  type Settlement,
  type Sight,
  State,
  type Store,
  type Value,
} from "../../core/index.ts";
import { Keys } from "./keys.ts";

/** How full a memory store is. */
export type MemoryStats = {
  /** Keys with a state that differs from a fresh one's, or did when last looked at. */
  readonly keys: number;
  /** The most keys there can be. */
  readonly maxKeys: number;
  /** Keys forgotten too early, because there was no room. Above 0, `maxKeys` is too small. */
  readonly evicted: number;
  /** Asks refused because their key might have been one of those. */
  readonly turnedAway: number;
};

/** States in this process's memory; see `memoryStore`. */
export class MemoryStore implements Store<"now"> {
  readonly mode = "now";
  readonly isOwn = true;
  readonly #clock: Clock;
  readonly #maxKeys: number;
  readonly #keys: Keys;
  readonly #state = new State();
  readonly #newcomer = new State();
  #turnedAway = 0;

  constructor(options: { readonly clock: Clock; readonly maxKeys: number }) {
    this.#clock = options.clock;
    this.#maxKeys = options.maxKeys;
    this.#keys = new Keys(options.maxKeys);
  }

  limit(ask: Ask): Decision {
    return this.#take(ask, this.#clock());
  }

  check(ask: Ask): Decision {
    return this.#answer(ask, this.#clock());
  }

  limitAll(asks: readonly Ask[]): readonly Decision[] {
    const now = this.#clock();
    const answers = this.#answerAll(asks, now);
    if (answers.every(({ ok }) => ok)) for (const ask of asks) this.#charge(ask, now);
    return answers;
  }

  checkAll(asks: readonly Ask[]): readonly Decision[] {
    return this.#answerAll(asks, this.#clock());
  }

  settle(budget: Budget, settlement: Settlement): Value {
    const now = this.#clock();
    // A key without a state has nothing to get back, and needs none for that.
    if (settlement.used > settlement.reserved || this.#keys.find(budget) !== undefined) {
      settle(this.#known(budget, now), budget.plan, settlement, now);
    }
    return this.#tell(budget, now);
  }

  release(budget: Budget, held: LeaseRef): boolean {
    const now = this.#clock();
    const slot = this.#keys.find(budget);
    return slot !== undefined && release(this.#followed(slot, budget, now), held, now);
  }

  renew(budget: Budget, held: LeaseRef): boolean {
    const now = this.#clock();
    const slot = this.#keys.find(budget);
    return slot !== undefined && renew(this.#followed(slot, budget, now), budget.plan, held, now);
  }

  value(budget: Budget): Value {
    return this.#tell(budget, this.#clock());
  }

  look(budgets: readonly Budget[]): readonly Sight[] {
    const now = this.#clock();
    return budgets.map((budget) => ({ state: this.#view(budget, now), now }));
  }

  reset(budget: Budget): void {
    const now = this.#clock();
    const slot = this.#keys.find(budget);
    if (slot === undefined) return;
    const state = this.#followed(slot, budget, now);
    if (state.blockedUntil <= now) this.#keys.drop(slot);
    else reset(state, budget.plan, budget.key, now);
  }

  block(budget: Budget, ms: number): void {
    const now = this.#clock();
    const least = this.#floor(budget, now);
    block(this.#known(budget, now), budget.plan, Math.max(ms, least), now);
  }

  unblock(budget: Budget): void {
    const slot = this.#keys.find(budget);
    if (slot !== undefined) this.#followed(slot, budget, this.#clock()).blockedUntil = 0;
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

  #tell(budget: Budget, now: number): Value {
    const value = valueAt(this.#read(budget, now), budget.plan, now);
    const floor = this.#floor(budget, now);
    return floor === 0 ? value : { ...value, remaining: 0, resetAfter: floor };
  }

  #take(ask: Ask, now: number): Decision {
    const slot = this.#keys.find(ask);
    if (slot === undefined) return this.#takeFirst(ask, now);
    const state = this.#followed(slot, ask, now);
    const decision = decide(state, ask.plan, ask, now);
    if (decision.ok) charge(state, ask.plan, ask, now);
    return decision;
  }

  /** A key without a slot gets one only when it has taken something. */
  #takeFirst(ask: Ask, now: number): Decision {
    const decision = this.#answer(ask, now);
    if (decision.ok) this.#charge(ask, now);
    return decision;
  }

  #charge(ask: Ask, now: number): void {
    if (ask.count > 0) charge(this.#write(ask, now), ask.plan, ask, now);
  }

  #answerAll(asks: readonly Ask[], now: number): readonly Decision[] {
    const answers = asks.map((ask) => this.#answer(ask, now));
    if (answers.every(({ ok }) => ok)) return answers;
    return answers.map((answer, index) => {
      const ask = asks[index] as Ask;
      return answer.ok ? notCharged(answer, valueAt(this.#read(ask, now), ask.plan, now)) : answer;
    });
  }

  #answer(ask: Ask, now: number): Decision {
    const decision = decide(this.#read(ask, now), ask.plan, ask, now);
    const floor = decision.ok ? this.#floor(ask, now) : 0;
    if (floor === 0) return decision;
    this.#turnedAway++;
    const refused = { ok: false, remaining: 0, retryAfter: floor, resetAfter: floor } as const;
    return { ...decision, ...refused, reason: "limited" };
  }

  /** Milliseconds for which a budget without a slot is refused; 0 for one with a slot. */
  #floor(budget: Budget, now: number): number {
    const floor = this.#keys.floorOf(budget, now);
    return floor > 0 && this.#keys.find(budget) === undefined ? floor : 0;
  }

  /** A view of its own on a budget's state, so that several can be looked at together. */
  #view({ plan, key }: Budget, now: number): State {
    const slot = this.#keys.find({ plan, key });
    const state = new State();
    if (slot !== undefined) this.#keys.look(slot, state);
    reconcile(state, plan, key, now);
    return state;
  }

  /** The state of a budget, or a fresh one that is kept nowhere. */
  #read(budget: Budget, now: number): State {
    const slot = this.#keys.find(budget);
    if (slot !== undefined) return this.#followed(slot, budget, now);
    begin(this.#newcomer, budget.plan, budget.key, now);
    return this.#newcomer;
  }

  /** The state of a budget, which gets a slot if it has none. */
  #write(budget: Budget, now: number): State {
    const found = this.#keys.find(budget);
    if (found !== undefined) return this.#followed(found, budget, now);
    const state = this.#keys.look(this.#keys.add(budget, now), this.#state);
    begin(state, budget.plan, budget.key, now);
    return state;
  }

  /** The same, with what the floor knows: what was refused stays refused when it has a slot again. */
  #known(budget: Budget, now: number): State {
    const floor = this.#floor(budget, now);
    const state = this.#write(budget, now);
    if (floor > 0) state.blockedUntil = now + floor;
    return state;
  }

  /** A slot's state, fit to be asked. */
  #followed(slot: number, { plan, key }: Budget, now: number): State {
    const state = this.#keys.look(slot, this.#state);
    reconcile(state, plan, key, now);
    return state;
  }
}
