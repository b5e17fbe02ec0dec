import { callEach } from "../../internal/index.ts";
import type {
  AnswerTo,
  Ask,
  Budget,
  Command,
  CommandOf,
  Decision,
  Observer,
  Store,
  StoreWithin,
} from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { badAnswer } from "./checked-executor.ts";
import { direct } from "./direct.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Fallback } from "./fallback.ts";
import { checkMultiSlot, type Group, groupsOf, limitMultiSlot } from "./multi-slot.ts";
import type { ResilienceSettings } from "./options.ts";

/** A store that answers later, by a dispatcher; see `resilient`. */
export class ResilientLater implements Store<"later"> {
  readonly mode = "later";
  readonly within?: (transaction: object) => StoreWithin<"later">;
  readonly #executor: Executor<"later">;
  readonly #dispatcher: Dispatcher;
  readonly #fallback: Fallback;

  constructor(executor: Executor<"later">, settings: ResilienceSettings) {
    this.#executor = executor;
    this.#fallback = new Fallback(settings);
    this.#dispatcher = new Dispatcher({ ...settings, executor, fallback: this.#fallback });
    if (executor.within !== undefined) this.within = (transaction) => direct(executor, transaction);
  }

  limit(ask: Ask): Promise<Decision> {
    return this.#dispatcher.ask({ verb: "limit", budgets: [ask] }, true);
  }

  execute<C extends Command>(command: C): Promise<AnswerTo<C>> {
    if (command.budgets.length > 1) return this.#onSeveral(command) as Promise<AnswerTo<C>>;
    if (this.#isDoneHere(command)) return Promise.resolve(true as AnswerTo<C>);
    return this.#dispatcher.ask(command);
  }

  /** Several caches may observe one store. */
  observe(begin: () => Observer): void {
    const { observe } = this.#dispatcher;
    this.#dispatcher.observe = observe === undefined ? begin : () => both(observe(), begin());
  }

  /** Releases or renews a lease that was granted in this process, while the store was away. */
  #isDoneHere(command: Command): boolean {
    if (command.verb !== "release" && command.verb !== "renew") return false;
    return this.#fallback.changeLease(command.verb, command.budgets[0], command.lease);
  }

  #onSeveral(command: Command): Promise<unknown> {
    const { verb, budgets } = command;
    if (verb !== "limit" && verb !== "check") return this.#peekEach(command);
    const executor = this.#executor;
    if (executor.slotOf === undefined) return this.#dispatcher.ask(command);
    const groups = groupsOf(budgets, (ask) => slotIn(executor, ask));
    if (groups.length === 1) return this.#dispatcher.ask(command);
    return (verb === "limit" ? limitMultiSlot : checkMultiSlot)(groups as readonly Group[], this);
  }

  /** Each for itself, so that many of them need not fit in one request. */
  async #peekEach(command: Command): Promise<unknown> {
    const peeks = callEach(command.budgets, (budget: Budget) =>
      this.execute({ ...(command as CommandOf<"peek">), budgets: [budget] }),
    );
    return (await Promise.all(peeks)).flat();
  }
}

/** @throws SpillwayError `bad-store`; what the hook throws */
function slotIn(executor: Executor, ask: Ask): number {
  const slot = executor.slotOf?.(ask);
  if (typeof slot !== "number") throw badAnswer("slotOf", slot);
  return slot;
}

function both(one: Observer, other: Observer): Observer {
  return {
    refused(budget, snapshot) {
      one.refused(budget, snapshot);
      other.refused(budget, snapshot);
    },
    taken(budget) {
      one.taken(budget);
      other.taken(budget);
    },
    changed(budget) {
      one.changed(budget);
      other.changed(budget);
    },
  };
}
