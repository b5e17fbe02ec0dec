import {
  charge,
  decideOn,
  draw,
  override,
  penalize,
  reconcile,
  release,
  renew,
  reset,
  settle,
  valueOn,
} from "../../limits/algorithms/index.ts";
import type {
  AnswerTo,
  Ask,
  Budget,
  Clock,
  Command,
  CommandOf,
  Draw,
  Drawn,
  LeaseRef,
  Plan,
  RegisterAnswer,
  RegisterCommand,
  Settlement,
  State,
  StateSnapshot,
  Store,
  Value,
  Warn,
} from "../../limits/core/index.ts";
import { JointExecution } from "./joint-execution.ts";
import { MemoryCore } from "./memory-core.ts";
import { MemoryRegister } from "./memory-register.ts";

/** The checked options of a memory store. */
export type MemorySettings = {
  readonly clock: Clock;
  readonly maxKeys: number;
  readonly warn: Warn;
};

/** The steps for limits that may change, and whose units may be lent or leased. */
const STEPS = { charge, penalize, reconcile, reset, decide: decideOn, value: valueOn };

/** A store in the memory of this process; see `memoryStore`. */
export class MemoryStore extends MemoryCore implements Store<"now"> {
  readonly timing = "now";
  readonly isOwn = true;
  readonly overrides = true;
  readonly penalties = true;
  readonly #joint: JointExecution;
  readonly #register: MemoryRegister;

  constructor({ clock, maxKeys, warn }: MemorySettings) {
    super({ clock, maxKeys, steps: STEPS, crowded: () => warn(crowdedMessage(maxKeys)) });
    this.#joint = new JointExecution(this.keys, this.states);
    this.#register = new MemoryRegister(maxKeys);
  }

  execute<C extends Command>(command: C): AnswerTo<C> {
    return this.#execute(command, this.clock()) as AnswerTo<C>;
  }

  register<C extends RegisterCommand>(command: C): RegisterAnswer<C> {
    return this.#register.execute(command, this.clock()) as RegisterAnswer<C>;
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
        return this.value(command.budgets[0], now);
      case "peek":
        return this.#peek(command.budgets, now);
      case "reset":
        return this.reset(command.budgets[0], now);
      case "block":
        return this.block(command.budgets[0], { ms: command.ms, now });
      case "unblock":
        return this.unblock(command.budgets[0], now);
      case "override":
        return this.#override(command, now);
    }
  }

  #draw(ask: Ask, drawing: Draw, now: number): Drawn {
    const step = (state: State) => draw(state, ask, drawing, now);
    const known = this.states.changeKnown(ask, now, step);
    if (known !== undefined) return known;
    const state = this.states.find(ask, now);
    const drawn = step(state);
    const { decision: fresh, lent } = drawn;
    const decision = fresh.ok ? this.states.guarded(fresh, ask, now) : fresh;
    if (!decision.ok) return { decision, lent: { ...lent, units: 0, lasts: 0 } };
    if (state.used > 0) this.keys.add(ask, state, now);
    return drawn;
  }

  #settle(budget: Budget, settlement: Settlement, now: number): Value {
    // A key without a slot has nothing to get back, and gets no slot for that.
    if (settlement.used > settlement.reserved || this.keys.find(budget) !== undefined) {
      this.states.change(budget, now, (state) => {
        settle(state, state.plan as Plan, settlement, now);
      });
    }
    return this.states.value(budget, now);
  }

  #release(budget: Budget, lease: LeaseRef, now: number): boolean {
    return this.states.changeKnown(budget, now, (state) => release(state, lease, now)) ?? false;
  }

  #renew(budget: Budget, lease: LeaseRef, now: number): boolean {
    const step = (state: State) => renew(state, state.plan as Plan, lease, now);
    return this.states.changeKnown(budget, now, step) ?? false;
  }

  #override(command: CommandOf<"override">, now: number): undefined {
    const [budget] = command.budgets;
    const step = (state: State) => override(state, budget, command, now);
    // Without a slot there is no override to end.
    if (command.ms === 0) this.states.changeKnown(budget, now, step);
    else this.states.change(budget, now, step);
  }

  #peek(budgets: readonly Budget[], now: number): readonly StateSnapshot[] {
    return budgets.map((budget) => ({ state: this.states.find(budget, now).copy(), now }));
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
