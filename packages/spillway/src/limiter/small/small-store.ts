import { begin, decide, rewindIfAhead, valueAt } from "../../limits/algorithms/index.ts";
import type { Ask, Budget, Clock, Decision, Value } from "../../limits/core/index.ts";
import { type CoreSteps, MemoryCore } from "../../stores/memory/index.ts";

/** The steps for limits of which each has one definition, and no units lent. */
const STEPS: CoreSteps = {
  reconcile: rewindIfAhead,

  decide: (state, ask, now) => decide(state, ask.plan, ask, now),

  value: (state, { plan }, now) => valueAt(state, plan, now),

  charge(state, plan, amount, now) {
    if (amount.count > 0) plan.family.charge(state, plan, amount, now);
  },

  reset: begin,

  penalize: (_state, _ask, decision) => decision,
};

/** The states of a small limiter: the core of a memory store, with the calls of a limiter. */
export class SmallStore extends MemoryCore {
  constructor({ clock, maxKeys }: { readonly clock: Clock; readonly maxKeys: number }) {
    super({ clock, maxKeys, steps: STEPS, crowded: () => {} });
  }

  check(ask: Ask): Decision {
    return this.decideOne(ask, this.clock());
  }

  read(budget: Budget): Value {
    return this.value(budget, this.clock());
  }

  forget(budget: Budget): void {
    this.reset(budget, this.clock());
  }

  refuse(budget: Budget, ms: number): void {
    this.block(budget, { ms, now: this.clock() });
  }

  admit(budget: Budget): void {
    this.unblock(budget, this.clock());
  }
}
