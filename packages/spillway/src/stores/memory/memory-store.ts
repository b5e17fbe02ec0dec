import { systemRandom } from "../../internal/index.ts";
import {
  block,
  charge,
  decide,
  draw,
  reconcile,
  release,
  renew,
  reset,
  settle,
} from "../../limits/algorithms/index.ts";
import {
  type AnswerTo,
  type Ask,
  type Budget,
  type Clock,
  type Command,
  type Decision,
  type Draw,
  type Drawn,
  type LeaseRef,
  type Settlement,
  State,
  type StateSnapshot,
  type Store,
  type Value,
  type Warn,
} from "../../limits/core/index.ts";
import { JointExecution } from "./joint-execution.ts";
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

/** The checked options of a memory store. */
export type MemorySettings = {
  readonly clock: Clock;
  readonly maxKeys: number;
  readonly warn: Warn;
};

/** A store in the memory of this process; see `memoryStore`. */
export class MemoryStore implements Store<"now"> {
  readonly mode = "now";
  readonly isOwn = true;
  readonly #clock: Clock;
  readonly #maxKeys: number;
  readonly #keys: KeyTable;
  readonly #states: States;
  readonly #joint: JointExecution;
  /** The state of a single request; reused by each. */
  readonly #state = new State();

  constructor({ clock, maxKeys, warn }: MemorySettings) {
    this.#clock = clock;
    this.#maxKeys = maxKeys;
    const crowded = () => warn(crowdedMessage(maxKeys));
    this.#keys = new KeyTable({
      most: maxKeys,
      seed: Math.floor(systemRandom() * 2 ** 32),
      crowded,
    });
    this.#states = new States(this.#keys);
    this.#joint = new JointExecution(this.#keys, this.#states);
  }

  limit(ask: Ask): Decision {
    const now = this.#clock();
    const keys = this.#keys.of(ask.plan);
    const slot = keys?.slots.get(ask.key);
    if (keys === undefined || slot === undefined) return this.#limitNew(ask, now);
    return this.#limitKnown(slot, keys, ask, now);
  }

  execute<C extends Command>(command: C): AnswerTo<C> {
    return this.#execute(command, this.#clock()) as AnswerTo<C>;
  }

  /** Returns how full the store is. */
  stats(): MemoryStats {
    return {
      keys: this.#keys.size,
      maxKeys: this.#maxKeys,
      evicted: this.#keys.evicted,
      turnedAway: this.#states.turnedAway,
    };
  }

  #execute(command: Command, now: number): AnswerTo<Command> {
    switch (command.verb) {
      case "limit":
        return this.#joint.limit(command.budgets, now);
      case "check":
        return this.#joint.decide(command.budgets, now);
      case "draw":
        return this.#draw(command.budgets[0], command.draw, now);
      case "settle":
        return this.#settle(command.budgets[0], command.settlement, now);
      case "release":
        return this.#release(command.budgets[0], command.lease, now);
      case "renew":
        return this.#renew(command.budgets[0], command.lease, now);
      case "value":
        return this.#states.value(command.budgets[0], now);
      case "peek":
        return this.#peek(command.budgets, now);
      case "reset":
        return this.#reset(command.budgets[0], now);
      case "block":
        return this.#block(command.budgets[0], { ms: command.ms, now });
      case "unblock":
        return this.#unblock(command.budgets[0], now);
    }
  }

  #limitKnown(slot: number, keys: LimitKeys, ask: Ask, now: number): Decision {
    const { plan } = ask;
    const state = this.#state;
    keys.load(slot, state);
    if (state.plan !== plan || state.since > now) {
      reconcile(state, ask, now);
      keys.save(slot, state);
    }
    const decision = decide(state, plan, ask, now);
    if (!decision.ok) return decision;
    charge(state, plan, ask, now);
    keys.save(slot, state);
    return decision;
  }

  /** Decides for a key without a slot. The key gets one only if units are charged. */
  #limitNew(ask: Ask, now: number): Decision {
    const state = this.#states.find(ask, now);
    const fresh = decide(state, ask.plan, ask, now);
    const decision = fresh.ok ? this.#states.guarded(fresh, ask, now) : fresh;
    if (!decision.ok || ask.count === 0) return decision;
    charge(state, ask.plan, ask, now);
    this.#keys.add(ask, state, now);
    return decision;
  }

  #draw(ask: Ask, drawing: Draw, now: number): Drawn {
    const step = (state: State) => draw(state, ask, drawing, now);
    const known = this.#states.changeKnown(ask, now, step);
    if (known !== undefined) return known;
    const state = this.#states.find(ask, now);
    const drawn = step(state);
    const { decision: fresh, lent } = drawn;
    const decision = fresh.ok ? this.#states.guarded(fresh, ask, now) : fresh;
    if (!decision.ok) return { decision, lent: { ...lent, units: 0, lasts: 0 } };
    if (state.used > 0) this.#keys.add(ask, state, now);
    return drawn;
  }

  #settle(budget: Budget, settlement: Settlement, now: number): Value {
    // A key without a slot has nothing to get back, and gets no slot for that.
    if (settlement.used > settlement.reserved || this.#keys.find(budget) !== undefined) {
      this.#states.change(budget, now, (state) => settle(state, budget.plan, settlement, now));
    }
    return this.#states.value(budget, now);
  }

  #release(budget: Budget, lease: LeaseRef, now: number): boolean {
    return this.#states.changeKnown(budget, now, (state) => release(state, lease, now)) ?? false;
  }

  #renew(budget: Budget, lease: LeaseRef, now: number): boolean {
    const step = (state: State) => renew(state, budget.plan, lease, now);
    return this.#states.changeKnown(budget, now, step) ?? false;
  }

  #peek(budgets: readonly Budget[], now: number): readonly StateSnapshot[] {
    return budgets.map((budget) => ({ state: this.#states.find(budget, now).copy(), now }));
  }

  #reset(budget: Budget, now: number): undefined {
    const slot = this.#keys.find(budget);
    if (slot === undefined) return;
    const isFresh = this.#states.changeKnown(budget, now, (state) => {
      if (state.blockedUntil <= now) state.blockedUntil = 0;
      reset(state, budget, now);
      return state.used === 0 && state.blockedUntil === 0 && state.others === undefined;
    });
    if (isFresh) this.#keys.drop(slot);
  }

  #block(budget: Budget, { ms, now }: { readonly ms: number; readonly now: number }): undefined {
    const most = Math.max(ms, this.#states.refusedFor(budget, now));
    this.#states.change(budget, now, (state) => block(state, budget.plan, most, now));
  }

  #unblock(budget: Budget, now: number): undefined {
    this.#states.changeKnown(budget, now, (state) => {
      state.blockedUntil = 0;
    });
  }
}

function crowdedMessage(maxKeys: number): string {
  const keys = maxKeys === 1 ? "its only key" : `80 % of its ${maxKeys} keys`;
  return (
    `a memory store has used ${keys}. Beyond ${maxKeys === 1 ? "it" : "them"}, keys with ` +
    "little usage are forgotten, and some new ones are refused. Raise `maxKeys`, or find the " +
    "clients that send so many keys"
  );
}
