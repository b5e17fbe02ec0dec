import {
  AbortListeners,
  after,
  callTimer,
  checkedRandom,
  checkFunction,
  checkOptions,
  checkWhole,
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
  type Mode,
  type Random,
  SpillwayError,
  type Store,
} from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { instrumented } from "../stores/telemetry/index.ts";
import { Asks } from "./asks.ts";
import { OPTIONS, type RateLimiterOptions, STORE_OPTIONS } from "./contracts.ts";
import { HeldTimes } from "./held-times.ts";
import type { LeaseContext } from "./lease.ts";
import { outliving } from "./outliving.ts";
import { warnIfMadePerRequest } from "./per-request.ts";
import { Renewals } from "./renewals.ts";
import { checkedStore, type DirectStore, withLimit } from "./store.ts";
import { TimeWarnings } from "./time-warnings.ts";
import type { WaiterSettings } from "./waiting/waiter.ts";
import { Waiting } from "./waiting/waiting.ts";

/** What holds for a limiter wherever it works. */
type Settings = {
  readonly limits: Limits;
  readonly random: Random;
  readonly maxWaiting: number;
  readonly heldTimes: HeldTimes;
  readonly renewals: Renewals;
  readonly waiters: WaiterSettings;
};

/** What a limiter works with; one within a transaction shares all of it but the store. */
export class LimiterParts<M extends Mode> {
  readonly asks: Asks;
  readonly store: DirectStore<M>;
  readonly random: Random;
  readonly leaseContext: LeaseContext<M>;
  readonly heldTimes: HeldTimes;
  /** Whether it works in a transaction of the caller's, where nobody else's release is seen before the end. */
  readonly isWithin: boolean;
  readonly #settings: Settings;
  /** Made for the first ask that waits. */
  #waiting: Waiting<M> | undefined;

  /** The limits themselves, as they were given. */
  get limits(): Limits {
    return this.#settings.limits;
  }

  /** Asks that wait for leases. */
  get waiting(): Waiting<M> {
    const { asks, store, random } = this;
    const { maxWaiting, waiters } = this.#settings;
    const anew = (ask: Ask) => asks.anew(ask);
    this.#waiting ??= new Waiting({ store, random, most: maxWaiting, anew, ...waiters });
    return this.#waiting;
  }

  private constructor(
    asks: Asks,
    store: DirectStore<M>,
    settings: Settings,
    outer: LimiterParts<M> | undefined,
  ) {
    const { random, heldTimes } = settings;
    this.asks = asks;
    this.store = store;
    this.random = random;
    this.heldTimes = heldTimes;
    this.isWithin = outer !== undefined;
    this.leaseContext = {
      mode: store.mode,
      change:
        outer === undefined ? (command) => store.execute(command) : outliving(store, outer.store),
      renewals: settings.renewals,
      freed: outer?.leaseContext.freed ?? this.#freed,
    };
    this.#settings = settings;
  }

  /** @throws SpillwayError where a limit is not one, or an option; `bad-store`. */
  static of<M extends Mode>(limits: Limits, options: RateLimiterOptions<M>): LimiterParts<M> {
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
    const asks = new Asks(limits, { random, warn, times, whenUnavailable });
    if (options.store === undefined) warnIfMadePerRequest(warn);
    // Of a store in memory, the mode is the one that is meant where none is named.
    const store: Store<Mode> = options.store === undefined ? memoryStore({ warn }) : options.store;
    const settings = { limits, random, maxWaiting, ...sharedByCalls() };
    const checked = checkedStore(store) as DirectStore<M>;
    const reporting = onCall === undefined ? checked : withLimit(instrumented(checked, onCall));
    return new LimiterParts(asks, reporting, settings, undefined);
  }

  readonly #freed = (budget: Budget, units: number, ms: number): void => {
    this.#waiting?.freed(budget, units, ms);
    if (units > 0) this.heldTimes.note(budget, ms);
  };

  /** What a store has said of a call for a lease, with an estimate where it refuses. */
  estimate(ask: Ask, answer: Answer<M, Decision>): Answer<M, Decision> {
    return after(this.store.mode as M, answer, (decision) =>
      this.heldTimes.estimate(ask, decision),
    );
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
    return new LimiterParts(this.asks, withLimit(store), this.#settings, this);
  }
}

/** What the calls of a limiter share, whatever they are about. */
function sharedByCalls(): Pick<Settings, "heldTimes" | "renewals" | "waiters"> {
  const slices = new Slices();
  return {
    heldTimes: new HeldTimes(),
    renewals: new Renewals(callTimer(afterDelay)),
    waiters: {
      // For those who wait the program goes on.
      timer: callTimer(alarm),
      slices,
      signals: new AbortListeners(slices),
    },
  };
}
