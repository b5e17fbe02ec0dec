import { abilities, after, all } from "../../internal/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  Decision,
  Lending,
  LendingNumbers,
  Plan,
  Store,
  Timing,
} from "../../limits/core/index.ts";
import { checkJointly, checkOne } from "./checks.ts";
import { type HeldJointAsk, passedOn, together } from "./joint.ts";
import { type LentSettings, LentUnits } from "./lent-units.ts";
import { limitJointly, limitOne } from "./limit-one.ts";
import { onKey } from "./on-key.ts";
import { keepsPlaces } from "./places/kept-plan.ts";
import { Places } from "./places/places.ts";
import { placesWithin } from "./places/within.ts";

/** A store whose units and places are lent to this process; see `lent`. */
export class LentStore<M extends Timing> implements Store<M>, Lending<M> {
  readonly timing: M;
  readonly lending: Lending<M> = this;
  readonly within?: NonNullable<Store<M>["within"]>;
  readonly observe?: NonNullable<Store<M>["observe"]>;
  readonly #store: Store<M>;
  readonly #units: LentUnits<M>;
  readonly #places: Places<M>;

  constructor(settings: LentSettings<M>) {
    const { store } = settings;
    const { within, observe } = store;
    this.timing = store.timing;
    Object.assign(this, abilities(store));
    this.#store = store;
    this.#units = new LentUnits(settings);
    this.#places = new Places(settings);
    if (within !== undefined)
      this.within = (transaction) => placesWithin(within.call(store, transaction));
    if (observe !== undefined) this.observe = observe.bind(store);
  }

  limit(ask: Ask): Answer<M, Decision> {
    if (ask.plan.share === 0) return this.#units.direct(ask);
    if (!keepsPlaces(ask.plan)) return limitOne(this.#units, ask);
    const parts = [this.#places.limitJointly(ask)];
    const call = ([rest]: readonly Ask[]) =>
      after(this.timing, this.#units.direct(rest as Ask), (one) => [one]);
    return after(this.timing, together(this.timing, parts, call), ([one]) => one as Decision);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    if (!command.budgets.some(isLent)) return this.#store.execute(command);
    return this.#execute(command) as Answer<M, AnswerTo<C>>;
  }

  giveBack(): Answer<M, undefined> {
    const units = this.#units.close();
    const places = this.#places.giveBack() as Answer<M, undefined>;
    return after(this.timing, all(this.timing, [units, places]), () => undefined);
  }

  retire(plans: readonly Plan[]): Answer<M, undefined> {
    return this.#units.retire(plans);
  }

  numbers(): LendingNumbers {
    const { numbers: units } = this.#units;
    const { numbers: places } = this.#places;
    return {
      keys: units.keys + places.keys,
      held: units.held + places.held,
      lent: units.lent + places.lent,
    };
  }

  #execute(command: Command): Answer<M, unknown> {
    const { verb, budgets } = command;
    if (verb === "limit" || verb === "check") return this.#ask(verb, budgets);
    const units = this.#units;
    const [budget] = budgets;
    if (budgets.some(({ plan }) => keepsPlaces(plan))) return this.#places.execute(command);
    const key = units.isClosed || budget === undefined ? undefined : units.find(budget);
    return key === undefined ? units.pass(command) : onKey(command, key, units);
  }

  #ask(verb: "limit" | "check", asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const answer = asks.length === 1 ? this.#askOne(verb, asks[0] as Ask) : undefined;
    if (answer !== undefined) return after(this.timing, answer, (one) => [one]);
    const parts = asks.map((one) => this.#joint(verb, one));
    return together(this.timing, parts, (budgets) => this.#units.pass({ verb, budgets }));
  }

  #askOne(verb: "limit" | "check", ask: Ask): Answer<M, Decision> | undefined {
    if (verb === "limit") return this.limit(ask);
    const hasUnits = !keepsPlaces(ask.plan) && !this.#units.isClosed;
    return hasUnits ? checkOne(this.#units, ask) : undefined;
  }

  #joint(verb: "limit" | "check", ask: Ask): HeldJointAsk {
    const isLimit = verb === "limit";
    if (keepsPlaces(ask.plan))
      return isLimit ? this.#places.limitJointly(ask) : this.#places.checkJointly(ask);
    if (!isLent(ask) || this.#units.isClosed) return passedOn(ask);
    return isLimit ? limitJointly(this.#units, ask) : checkJointly(this.#units, ask);
  }
}

function isLent({ plan }: Budget): boolean {
  return plan.share > 0;
}
