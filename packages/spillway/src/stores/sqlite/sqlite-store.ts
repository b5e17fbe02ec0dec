import type {
  Ask,
  Budget,
  Decision,
  LeaseRef,
  Settlement,
  Sight,
  Store,
  Value,
} from "../../core/index.ts";
import type { Guard } from "./guard.ts";
import type { Ledger } from "./ledger.ts";

/** What a store is made of. */
export type SqliteStoreParts = {
  /** Does the work, each call in a transaction of its own. */
  readonly ledger: Ledger;
  /** Answers where the work failed. */
  readonly guard: Guard;
  /** Makes ledgers whose work is part of a transaction of the caller's. */
  readonly within: (transaction: object) => Ledger;
};

/** States in a table of a SQLite database; see `sqliteStore`. */
export class SqliteStore implements Store<"now"> {
  readonly mode = "now";
  readonly #ledger: Ledger;
  readonly #guard: Guard;
  readonly #within: (transaction: object) => Ledger;

  constructor({ ledger, guard, within }: SqliteStoreParts) {
    this.#ledger = ledger;
    this.#guard = guard;
    this.#within = within;
  }

  limit(ask: Ask): Decision {
    return this.#guard.one("limit", ask, () => this.#ledger.limit(ask));
  }

  check(ask: Ask): Decision {
    return this.#guard.one("check", ask, () => this.#ledger.check(ask));
  }

  limitAll(asks: readonly Ask[]): readonly Decision[] {
    return this.#guard.all("limitAll", asks, () => this.#ledger.limitAll(asks));
  }

  checkAll(asks: readonly Ask[]): readonly Decision[] {
    return this.#guard.all("checkAll", asks, () => this.#ledger.checkAll(asks));
  }

  settle(budget: Budget, settlement: Settlement): Value {
    return this.#guard.call("settle", budget, () => this.#ledger.settle(budget, settlement));
  }

  release(budget: Budget, held: LeaseRef): boolean {
    return this.#guard.lease("release", budget, held, () => this.#ledger.release(budget, held));
  }

  renew(budget: Budget, held: LeaseRef): boolean {
    return this.#guard.lease("renew", budget, held, () => this.#ledger.renew(budget, held));
  }

  value(budget: Budget): Value {
    return this.#guard.call("value", budget, () => this.#ledger.value(budget));
  }

  look(budgets: readonly Budget[]): readonly Sight[] {
    return this.#guard.call("look", budgets[0], () => this.#ledger.look(budgets));
  }

  reset(budget: Budget): void {
    this.#guard.call("reset", budget, () => this.#ledger.reset(budget));
  }

  block(budget: Budget, ms: number): void {
    this.#guard.call("block", budget, () => this.#ledger.block(budget, ms));
  }

  unblock(budget: Budget): void {
    this.#guard.call("unblock", budget, () => this.#ledger.unblock(budget));
  }

  within(transaction: object): Store<"now"> {
    return this.#within(transaction);
  }
}
