import type { Ask, Budget, Decision, Settlement, Sight, Store, Value } from "../core/index.ts";
import { checkAcross, type Group, groupsOf, limitAcross, type Places } from "./across.ts";
import type { Call, Operation } from "./call.ts";
import { Courier, type CourierSettings } from "./courier.ts";
import type { Refusals } from "./refusals.ts";

/** A store across a network: what is asked in one turn travels together, and failing is answered. */
export class RemoteStore implements Store<"later"> {
  readonly mode = "later";
  readonly #courier: Courier;
  readonly #placeOf: (budget: Budget) => number;
  readonly #refusals: Refusals | undefined;
  readonly #places: Places = {
    limitAll: ({ place, asks }) => this.#send(place, "limitAll", asks),
    checkAll: ({ place, asks }) => this.#send(place, "checkAll", asks),
    settle: (ask, settlement) => this.settle(ask, settlement),
    value: (ask) => this.value(ask),
  };

  constructor(settings: CourierSettings, refusals: Refusals | undefined) {
    this.#courier = new Courier(settings);
    this.#placeOf = (budget) => settings.transport.placeOf(budget);
    this.#refusals = refusals;
  }

  limit(ask: Ask): Promise<Decision> {
    if (this.#refusals === undefined) return this.#one("limit", ask);
    return this.#unlessRefused(this.#refusals, [ask], async () => [
      await this.#one<Decision>("limit", ask),
    ]).then(first);
  }

  check(ask: Ask): Promise<Decision> {
    if (this.#refusals === undefined) return this.#one("check", ask);
    return this.#unlessRefused(this.#refusals, [ask], async () => [
      await this.#one<Decision>("check", ask),
    ]).then(first);
  }

  limitAll(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const ask = () => this.#together("limitAll", asks, limitAcross);
    return this.#refusals === undefined ? ask() : this.#unlessRefused(this.#refusals, asks, ask);
  }

  checkAll(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const ask = () => this.#together("checkAll", asks, checkAcross);
    return this.#refusals === undefined ? ask() : this.#unlessRefused(this.#refusals, asks, ask);
  }

  settle(budget: Budget, settlement: Settlement): Promise<Value> {
    this.#refusals?.forget(budget);
    return this.#one("settle", budget, { settlement });
  }

  value(budget: Budget): Promise<Value> {
    return this.#one("value", budget);
  }

  async look(budgets: readonly Budget[]): Promise<readonly Sight[]> {
    const looked = budgets.map((budget) => this.#one<readonly Sight[]>("look", budget));
    return (await Promise.all(looked)).flat();
  }

  reset(budget: Budget): Promise<void> {
    this.#refusals?.forget(budget);
    return this.#one("reset", budget);
  }

  block(budget: Budget, ms: number): Promise<void> {
    this.#refusals?.forget(budget);
    return this.#one("block", budget, { ms });
  }

  unblock(budget: Budget): Promise<void> {
    this.#refusals?.forget(budget);
    return this.#one("unblock", budget);
  }

  #one<T>(operation: Operation, budget: Budget, more: Partial<Call> = NOTHING): Promise<T> {
    return this.#send(this.#placeOf(budget), operation, [budget], more);
  }

  #send<T>(
    place: number,
    operation: Operation,
    budgets: readonly Budget[],
    { settlement, ms = 0 }: Partial<Call> = NOTHING,
  ): Promise<T> {
    return this.#courier.take<T>(place, { operation, budgets, settlement, ms });
  }

  #together(
    operation: "limitAll" | "checkAll",
    asks: readonly Ask[],
    across: (groups: readonly Group[], places: Places) => Promise<readonly Decision[]>,
  ): Promise<readonly Decision[]> {
    const groups = groupsOf(asks, this.#placeOf);
    const [group, other] = groups as [Group, ...Group[]];
    if (other !== undefined) return across(groups, this.#places);
    return this.#send(group.place, operation, asks);
  }

  async #unlessRefused(
    refusals: Refusals,
    asks: readonly Ask[],
    ask: () => Promise<readonly Decision[]>,
  ): Promise<readonly Decision[]> {
    const standing = refusals.find(asks);
    if (standing !== undefined) return standing;
    const asked = refusals.now();
    const decisions = await ask();
    refusals.note(asks, decisions, asked);
    return decisions;
  }
}

const NOTHING = {};

function first(decisions: readonly Decision[]): Decision {
  return decisions[0] as Decision;
}
