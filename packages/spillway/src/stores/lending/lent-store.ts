import { after, all } from "../../internal/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  Decision,
  Lending,
  LendingNumbers,
  Mode,
  Plan,
  Store,
  Warn,
} from "../../limits/core/index.ts";
import { checkOne } from "./checks.ts";
import { checkTogether, limitTogether } from "./joint.ts";
import { LentUnits, type LentUnitsSettings } from "./lent-units.ts";
import { limitOne } from "./limit-one.ts";
import { onKey } from "./on-key.ts";
import { keepsPlaces } from "./places/kept-plan.ts";
import { Places } from "./places/places.ts";
import { placesWithin } from "./places/within.ts";
import { Usage } from "./usage.ts";

/** What a store that lends is made with. */
export type LentSettings<M extends Mode> = Omit<LentUnitsSettings<M>, "usage"> & {
  readonly warn: Warn;
};

/** A store whose units and places are lent to this process; see `lent`. */
export class LentStore<M extends Mode> implements Store<M>, Lending<M> {
  readonly mode: M;
  readonly lending: Lending<M> = this;
  readonly within?: NonNullable<Store<M>["within"]>;
  readonly observe?: NonNullable<Store<M>["observe"]>;
  readonly #store: Store<M>;
  readonly #direct: (ask: Ask) => Answer<M, Decision>;
  readonly #units: LentUnits<M>;
  readonly #places: Places<M>;

  constructor(settings: LentSettings<M>) {
    const { store, warn } = settings;
    const { mode, within, observe } = store;
    const usage = new Usage(warn);
    const execute = (command: Command) => this.#onUnits(command);
    this.mode = mode;
    this.#store = store;
    this.#units = new LentUnits({ ...settings, usage });
    this.#direct = this.#units.direct;
    this.#places = new Places({ ...settings, mode, execute, usage });
    if (within !== undefined)
      this.within = (transaction) => placesWithin(within.call(store, transaction));
    if (observe !== undefined) this.observe = observe.bind(store);
  }

  limit(ask: Ask): Answer<M, Decision> {
    if (ask.plan.share === 0) return this.#direct(ask);
    return keepsPlaces(ask.plan) ? this.#places.limit(ask) : limitOne(this.#units, ask);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    if (!command.budgets.some(isLent)) return this.#store.execute(command);
    const hasPlaces = command.budgets.some(({ plan }) => keepsPlaces(plan));
    const answer = hasPlaces ? this.#places.execute(command) : this.#onUnits(command);
    return answer as Answer<M, AnswerTo<C>>;
  }

  giveBack(): Answer<M, undefined> {
    const units = this.#units.close();
    const places = this.#places.giveBack() as Answer<M, undefined>;
    return after(this.mode, all(this.mode, [units, places]), () => undefined);
  }

  retire(plans: readonly Plan[]): Answer<M, undefined> {
    return this.#units.retire(plans);
  }

  numbers(): LendingNumbers {
    const { numbers, lent } = this.#places;
    const units = this.#units.numbers;
    return {
      keys: units.keys + numbers.keys,
      held: units.held + numbers.held,
      lent: units.lent + lent,
    };
  }

  /** What concerns no places that are kept here, or what the store is asked of them. */
  #onUnits(command: Command): Answer<M, unknown> {
    const units = this.#units;
    if (units.isClosed || !command.budgets.some(isLent)) return units.pass(command);
    const { verb, budgets } = command;
    if (verb === "limit" || verb === "check") {
      const [ask] = budgets;
      if (ask === undefined || budgets.length > 1) {
        return verb === "limit" ? limitTogether(units, budgets) : checkTogether(units, budgets);
      }
      const answer = verb === "limit" ? this.limit(ask) : checkOne(units, ask);
      return after(this.mode, answer, (one) => [one]);
    }
    const key = units.find(budgets[0]);
    return key === undefined ? units.pass(command) : onKey(command, key, units);
  }
}

function isLent({ plan }: Budget): boolean {
  return plan.share > 0;
}
