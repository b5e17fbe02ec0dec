import type {
  Ask,
  Budget,
  Decision,
  LeaseRef,
  Settlement,
  Sight,
  Store,
  Value,
} from "../core/index.ts";
import { checkAcross, type Group, groupsOf, limitAcross, type Places } from "./across.ts";
import type { Call, Operation } from "./call.ts";
import type { Refusals } from "./refusals.ts";

/** Brings calls to where states are kept, and answers back. */
export type Carrier = {
  /** Takes a call whose budgets are all kept in one place. */
  take<T>(place: number, call: Call): Promise<T>;
};

/** What a remote store works with. */
export type RemoteSettings = {
  readonly carrier: Carrier;
  readonly placeOf: (budget: Budget) => number;
  /** Where refusals are remembered, if they are. */
  readonly refusals: Refusals | undefined;
  /** The store in a transaction of the caller's, where there is such a thing. */
  readonly within: ((transaction: object) => Store<"later">) | undefined;
};

/** A store across a network: what a call says, without what is known to be refused. */
export class RemoteStore implements Store<"later"> {
  readonly mode = "later";
  readonly within?: (transaction: object) => Store<"later">;
  readonly #carrier: Carrier;
  readonly #placeOf: (budget: Budget) => number;
  readonly #refusals: Refusals | undefined;
  readonly #places: Places = {
    limitAll: ({ place, asks }) => this.#send(place, "limitAll", asks),
    checkAll: ({ place, asks }) => this.#send(place, "checkAll", asks),
    settle: (ask, settlement) => this.settle(ask, settlement),
    release: (ask, held) => this.release(ask, held),
    value: (ask) => this.value(ask),
  };

  constructor({ carrier, placeOf, refusals, within }: RemoteSettings) {
    this.#carrier = carrier;
    this.#placeOf = placeOf;
    this.#refusals = refusals;
    if (within !== undefined) this.within = within;
  }

  limit(ask: Ask): Promise<Decision> {
    const standing = this.#refusals?.find([ask]);
    return standing === undefined ? this.#one("limit", ask) : Promise.resolve(first(standing));
  }

  check(ask: Ask): Promise<Decision> {
    const standing = this.#refusals?.find([ask]);
    return standing === undefined ? this.#one("check", ask) : Promise.resolve(first(standing));
  }

  limitAll(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const standing = this.#refusals?.find(asks);
    return standing === undefined
      ? this.#together("limitAll", asks, limitAcross)
      : Promise.resolve(standing);
  }

  checkAll(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const standing = this.#refusals?.find(asks);
    return standing === undefined
      ? this.#together("checkAll", asks, checkAcross)
      : Promise.resolve(standing);
  }

  settle(budget: Budget, settlement: Settlement): Promise<Value> {
    this.#refusals?.forget(budget);
    return this.#one("settle", budget, { settlement });
  }

  release(budget: Budget, held: LeaseRef): Promise<boolean> {
    return this.#one("release", budget, { held });
  }

  renew(budget: Budget, held: LeaseRef): Promise<boolean> {
    return this.#one("renew", budget, { held });
  }

  value(budget: Budget): Promise<Value> {
    return this.#one("value", budget);
  }

  async look(budgets: readonly Budget[]): Promise<readonly Sight[]> {
    const standing = this.#refusals?.look(budgets);
    if (standing !== undefined) return standing;
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
    { settlement, held, ms = 0 }: Partial<Call> = NOTHING,
  ): Promise<T> {
    return this.#carrier.take<T>(place, { operation, budgets, settlement, held, ms });
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
}

const NOTHING = {};

function first(decisions: readonly Decision[]): Decision {
  return decisions[0] as Decision;
}
