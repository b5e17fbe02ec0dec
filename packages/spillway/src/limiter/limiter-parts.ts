import {
  type Ask,
  type Budget,
  checkOptions,
  checkWhenUnavailable,
  consoleWarn,
  type Limits,
  type Mode,
  type Random,
  SpillwayError,
  type Store,
  systemRandom,
} from "../core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { Asks } from "./asks.ts";
import { noteBirth } from "./birthplace.ts";
import { OPTIONS, type RateLimiterOptions } from "./contracts.ts";
import type { Lender } from "./lease.ts";
import { checkFunctions, checkMaxWaiting } from "./options.ts";
import { checkedStore, type DirectStore, withLimit } from "./store.ts";
import { Waiting } from "./waiting/waiting.ts";

/** Settings that hold for a limiter wherever it works. */
type Settings = { readonly random: Random; readonly maxWaiting: number };

/** What a limiter works with; one within a transaction shares all of it but the store. */
export class LimiterParts<M extends Mode> {
  readonly asks: Asks;
  readonly store: DirectStore<M>;
  readonly random: Random;
  readonly waiting: Waiting<M>;
  readonly lender: Lender<M>;
  readonly #settings: Settings;

  private constructor(
    asks: Asks,
    store: DirectStore<M>,
    settings: Settings,
    outer: Lender<M> | undefined,
  ) {
    const { random, maxWaiting } = settings;
    this.asks = asks;
    this.store = store;
    this.random = random;
    const anew = (ask: Ask) => asks.anew(ask);
    this.waiting = new Waiting({ store, random, most: maxWaiting, anew });
    this.lender = {
      store,
      outer: outer?.store,
      freed: (budget: Budget, units: number, ms: number) => {
        this.waiting.freed(budget, units, ms);
        outer?.freed(budget, units, ms);
      },
    };
    this.#settings = settings;
  }

  /** @throws SpillwayError where a limit is not one, or an option; `bad-store`. */
  static of<M extends Mode>(limits: Limits, options: RateLimiterOptions<M>): LimiterParts<M> {
    checkOptions("RateLimiter", options, OPTIONS);
    const { store, random = systemRandom, warn = consoleWarn } = options;
    const { whenUnavailable = "closed", maxWaiting = 1000 } = options;
    checkFunctions({ random, warn });
    checkWhenUnavailable(whenUnavailable);
    checkMaxWaiting(maxWaiting);
    const asks = new Asks(limits, { random, warn, whenUnavailable });
    if (store === undefined) noteBirth(warn);
    const own = store === undefined ? (memoryStore() as unknown as Store<M>) : store;
    return new LimiterParts(asks, checkedStore(own), { random, maxWaiting }, undefined);
  }

  /** The same in a transaction. @throws SpillwayError `no-transactions`, `bad-transaction` */
  within(transaction: object): LimiterParts<M> {
    const { within } = this.store;
    if (within === undefined) {
      throw new SpillwayError({
        code: "no-transactions",
        field: "store",
        value: this.store,
        expected:
          "a store that keeps its states in a database, such as postgresStore or sqliteStore",
      });
    }
    const store = within.call(this.store, transaction);
    return new LimiterParts(this.asks, withLimit(store), this.#settings, this.lender);
  }
}
