import {
  AbortListeners,
  after,
  callTimer,
  checkedRandom,
  checkFunction,
  checkOptions,
  checkWhole,
  HeldTimes,
  Slices,
  warningsTo,
} from "../internal/index.ts";
import {
  type Answer,
  type Ask,
  afterDelay,
  alarm,
  type Budget,
  checkWhenUnavailable,
  type Decision,
  type Limits,
  type Random,
  SpillwayError,
  type Store,
  type Timing,
} from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { instrumented } from "../stores/telemetry/index.ts";
import { Asks } from "./asks.ts";
import { OPTIONS, type RateLimiterOptions, STORE_OPTIONS } from "./contracts.ts";
import type { LeaseContext } from "./lease.ts";
import { moded } from "./modes/moded-store.ts";
import { outliving } from "./outliving.ts";
import { warnIfMadePerRequest } from "./per-request.ts";
import { Renewals } from "./renewals.ts";
import { checkedStore, type DirectStore, withLimit } from "./store.ts";
import { TimeWarnings } from "./time-warnings.ts";
import { BudgetQueues } from "./waiting/budget-queues.ts";
import type { WaiterSettings } from "./waiting/waiter.ts";

/** The settings of a limiter, which its copies in transactions share. */
type LimiterSettings = {
  readonly random: Random;
  readonly maxWaiting: number;
  readonly heldTimes: HeldTimes;
  readonly renewals: Renewals;
  readonly waiters: WaiterSettings;
};

/** The parts of a limiter. A limiter within a transaction shares all of them except the store. */
export class LimiterParts<M extends Timing> {
  readonly asks: Asks;
  readonly store: DirectStore<M>;
  readonly random: Random;
  readonly leaseContext: LeaseContext<M>;
  readonly heldTimes: HeldTimes;
  /**
   * Whether it works in a transaction of the caller. Releases by others are not visible before its
   * end.
   */
  readonly isWithin: boolean;
  readonly #settings: LimiterSettings;
  /** Created for the first call that waits. */
  #waiting: BudgetQueues<M> | undefined;

  /** The limits as they are defined now. */
  get limits(): Limits {
    return this.asks.limits;
  }

  /** The calls that wait for leases. */
  get waiting(): BudgetQueues<M> {
    const { asks, store, random } = this;
    const { maxWaiting, waiters } = this.#settings;
    const anew = (ask: Ask) => asks.anew(ask);
    this.#waiting ??= new BudgetQueues({ store, random, most: maxWaiting, anew, ...waiters });
    return this.#waiting;
  }

  private constructor(
    asks: Asks,
    store: DirectStore<M>,
    settings: LimiterSettings,
    outer: LimiterParts<M> | undefined,
  ) {
    const { random, heldTimes } = settings;
    this.asks = asks;
    this.store = store;
    this.random = random;
    this.heldTimes = heldTimes;
    this.isWithin = outer !== undefined;
    this.leaseContext = {
      timing: store.timing,
      change:
        outer === undefined ? (command) => store.execute(command) : outliving(store, outer.store),
      renewals: settings.renewals,
      freed: outer?.leaseContext.freed ?? this.#freed,
    };
    this.#settings = settings;
  }

  /** @throws SpillwayError if a limit or an option is invalid; `bad-store`. */
  static of<M extends Timing>(limits: Limits, options: RateLimiterOptions<M>): LimiterParts<M> {
    checkOptions("RateLimiter", options, OPTIONS, STORE_OPTIONS);
    const { onCall } = options;
    const { whenUnavailable = "closed", maxWaiting = 1000 } = options;
    const random = checkedRandom(options.random);
    checkFunction("warn", options.warn);
    checkFunction("onCall", onCall);
    checkWhenUnavailable(whenUnavailable);
    checkWhole("maxWaiting", maxWaiting, { most: 1e6 });
    const warn = warningsTo(options.warn);
    const times = new TimeWarnings(warn);
    const hasPenalties = options.store === undefined || options.store?.penalties === true;
    const asks = new Asks(limits, { random, warn, times, whenUnavailable, hasPenalties });
    if (options.store === undefined) warnIfMadePerRequest(warn);
    // A limiter without a `store` has the timing "now", which is that of the memory store.
    const store: Store<Timing> =
      options.store === undefined ? memoryStore({ warn }) : options.store;
    const settings = { random, maxWaiting, ...sharedByCalls() };
    const checked = checkedStore(store) as DirectStore<M>;
    const reporting = onCall === undefined ? checked : withLimit(instrumented(checked, onCall));
    return new LimiterParts(asks, moded(reporting), settings, undefined);
  }

  /** Lets waiting calls ask by limits or modes that have changed. */
  changed(): void {
    this.#waiting?.changed();
  }

  readonly #freed = (budget: Budget, units: number, ms: number): void => {
    this.#waiting?.freed(budget, units, ms);
    if (units > 0) this.heldTimes.note(budget, ms);
  };

  /** Adds an estimate of the wait to the store's decision on a lease, if it is a refusal. */
  estimate(ask: Ask, answer: Answer<M, Decision>): Answer<M, Decision> {
    return after(this.store.timing as M, answer, (decision) =>
      this.heldTimes.estimate(ask, decision),
    );
  }

  /**
   * Returns the same parts within a transaction. @throws SpillwayError `no-transactions`,
   * `bad-transaction`
   */
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
    return new LimiterParts(this.asks, moded(withLimit(store)), this.#settings, this);
  }
}

/** Creates what all calls of a limiter share. */
function sharedByCalls(): Pick<LimiterSettings, "heldTimes" | "renewals" | "waiters"> {
  const slices = new Slices();
  return {
    heldTimes: new HeldTimes(),
    renewals: new Renewals(callTimer(afterDelay)),
    waiters: {
      // A waiting call keeps the program alive.
      timer: callTimer(alarm),
      slices,
      signals: new AbortListeners(slices),
    },
  };
}
