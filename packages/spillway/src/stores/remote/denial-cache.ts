import {
  abilities,
  asAnswer,
  clock,
  group,
  type OptionTable,
  RecentParts,
  whole,
} from "../../internal/index.ts";
import { decide, notCharged, valueAt } from "../../limits/algorithms/index.ts";
import {
  type Answer,
  type AnswerTo,
  type Ask,
  type Budget,
  budgetId,
  type Clock,
  type Command,
  type Decision,
  HOUR,
  MOST_UNITS,
  type Observer,
  SECOND,
  type StateSnapshot,
  type Store,
  type StoreWithin,
  type Timing,
} from "../../limits/core/index.ts";

/** Options for remembering refusals in this process. */
export type DenialCacheOptions = {
  /**
   * The maximum number of refused keys that are remembered; the oldest are dropped first: 1 to 10⁶.
   * Default: 10 000.
   */
  readonly most?: number;
  /**
   * The longest time for which a refusal is repeated without asking, in milliseconds: 1 to an hour.
   * Default: 1000. Resets, settlements, overrides and unblocks by other processes take effect here
   * after this time at the latest.
   */
  readonly maxAge?: number;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
};

const TABLE = {
  most: whole({ most: 1_000_000, otherwise: 10_000 }),
  maxAge: whole({ most: HOUR, otherwise: SECOND }),
  clock,
} satisfies OptionTable<DenialCacheOptions>;

type CachedDenial = {
  /**
   * Undefined if the budget was changed here: answers to earlier requests may not include the
   * change.
   */
  readonly snapshot: StateSnapshot | undefined;
  /** The largest count for which the snapshot contains everything that its answer depends on. */
  readonly count: number;
  /** When the request was sent: never later than the instant of the snapshot. */
  readonly asked: number;
};

/**
 * Repeats refusals in this process while they are certain.
 *
 * States that refused a call are kept for a while. The next call is decided on them by the same
 * steps. If that is a refusal, it is certain, because other processes can only have taken more. So
 * a flood of calls on an exhausted key costs the store next to nothing. The cache learns from
 * stores that have `observe`. With the options `false` the store is returned unchanged.
 *
 * Not for limits where a `reset` or a `settle` in one process must take effect in all others at
 * once.
 *
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`
 */
export function denialCache<M extends Timing>(
  store: Store<M>,
  options: DenialCacheOptions | boolean = true,
): Store<M> {
  if (options === false) return store;
  const settings = group(TABLE)(options === true ? {} : options, "denialCache");
  return new DenialCache(store, new Denials(settings));
}

class DenialCache<M extends Timing> implements Store<M> {
  readonly timing: M;
  readonly register?: NonNullable<Store<M>["register"]>;
  readonly within?: (transaction: object) => StoreWithin<M>;
  readonly #store: Store<M>;
  readonly #denials: Denials;

  constructor(store: Store<M>, denials: Denials) {
    this.timing = store.timing;
    Object.assign(this, abilities(store));
    this.#store = store;
    this.#denials = denials;
    store.observe?.(() => denials.observer());
    if (store.register !== undefined) this.register = store.register.bind(store);
    if (store.within !== undefined) this.within = store.within.bind(store);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    const known = this.#known(command);
    if (known === undefined) return this.#store.execute(command);
    return asAnswer(this.timing, known as AnswerTo<C>);
  }

  /** Returns an answer that is certain, if there is one. */
  #known(command: Command): unknown {
    switch (command.verb) {
      case "limit":
      case "check":
        return this.#denials.find(command.budgets);
      case "peek":
        return this.#denials.peek(command.budgets, command.units);
      case "settle":
      case "reset":
      case "block":
      case "unblock":
      case "override":
        this.#denials.forget(command.budgets[0]);
    }
    return undefined;
  }
}

/** The states of budgets that have refused. */
class Denials {
  readonly #maxAge: number;
  readonly #clock: Clock;
  readonly #known: RecentParts<CachedDenial>;

  constructor({ most, maxAge, clock }: Required<DenialCacheOptions>) {
    this.#known = new RecentParts(most);
    this.#maxAge = maxAge;
    this.#clock = clock;
  }

  /**
   * Returns the answers to asks if at least one is a certain refusal; undefined if the store must
   * decide.
   */
  find(asks: readonly Ask[]): readonly Decision[] | undefined {
    const snapshots = this.#snapshotsOf(asks);
    if (snapshots === undefined) return undefined;
    const answers = asks.map((ask, index) =>
      repeatedDecision(ask, snapshots[index] as StateSnapshot),
    );
    if (answers.every(({ ok }) => ok)) return undefined;
    return answers.map((answer, index) => {
      const { state, now } = snapshots[index] as StateSnapshot;
      return answer.ok
        ? notCharged(answer, valueAt(state, (asks[index] as Ask).plan, now))
        : answer;
    });
  }

  /**
   * Returns the states of budgets that have no unit left, if they contain everything that asks for
   * `units` depend on; undefined if the store must be read.
   */
  peek(budgets: readonly Budget[], units = MOST_UNITS): readonly StateSnapshot[] | undefined {
    const snapshots = this.#snapshotsOf(
      budgets.map((budget) => ({ ...budget, count: units, reserve: false })),
    );
    const isSpent = snapshots?.every(({ state, now }, index) => {
      const ask = { ...(budgets[index] as Budget), count: 1, reserve: false };
      return state.log?.isSummary !== true && !repeatedDecision(ask, { state, now }).ok;
    });
    return isSpent ? snapshots : undefined;
  }

  /** Returns an observer for commands that are sent now. */
  observer(): Observer {
    const asked = this.#clock();
    return {
      refused: (budget, snapshot) => {
        const { count = MOST_UNITS } = budget;
        // Units in flight can be released anywhere at any time, so such a refusal is never certain.
        if (budget.plan.algorithm.list !== "leases") this.#note(budget, { snapshot, count, asked });
      },
      // The budget may refuse now as well, or for longer: only the store knows.
      taken: (budget) => this.#taken(budget),
      changed: (budget) => this.forget(budget),
    };
  }

  /** Forgets a budget, and ignores pending answers about it. */
  forget(budget: Budget): void {
    this.#known.set(budgetId(budget), { snapshot: undefined, count: 0, asked: this.#clock() });
  }

  /** The change itself is remembered, because earlier answers may still be pending. */
  #taken(budget: Budget): void {
    const id = budgetId(budget);
    if (this.#known.get(id)?.snapshot !== undefined) this.#known.delete(id);
  }

  #note(budget: Budget, known: CachedDenial): void {
    const id = budgetId(budget);
    const before = this.#known.get(id);
    if (before === undefined || !this.#isOutdated(known, before)) this.#known.set(id, known);
  }

  /** Whether the entry known before is newer, because answers may overtake each other. */
  #isOutdated({ snapshot, asked }: CachedDenial, before: CachedDenial): boolean {
    if (before.snapshot === undefined) return asked <= before.asked;
    // After the clock stepped back, older requests seem newer.
    if (before.asked > this.#clock()) return false;
    const isSooner = snapshot !== undefined && snapshot.now < before.snapshot.now;
    return asked < before.asked || (asked === before.asked && isSooner);
  }

  /** Returns the states of all budgets as of now; undefined if one is unknown or too old. */
  #snapshotsOf(asks: readonly Ask[]): readonly StateSnapshot[] | undefined {
    const snapshots: StateSnapshot[] = [];
    for (const ask of asks) {
      const known = this.#known.get(budgetId(ask));
      if (known?.snapshot === undefined || known.snapshot.state.plan !== ask.plan) return undefined;
      const age = this.#clock() - known.asked;
      if (age < 0 || age >= this.#maxAge) return undefined;
      const snapshot = { state: known.snapshot.state, now: known.snapshot.now + age };
      if (!isConclusive(snapshot, ask, known.count)) return undefined;
      snapshots.push(snapshot);
    }
    return snapshots;
  }
}

/**
 * Whether a state, on which a call for `known` units was refused, contains everything that the
 * answer to an ask depends on.
 */
function isConclusive({ state, now }: StateSnapshot, ask: Ask, known: number): boolean {
  const { plan, count, settings } = ask;
  // The store has to count refusals that lead to a penalty. While a block is in force, none does.
  if (settings?.penalty !== undefined && state.blockedUntil <= now) return false;
  if (plan.algorithm.list !== "log") return true;
  const { log } = state;
  if (log?.isSummary !== true || log.length === 0) return count <= known;
  // Only for the same count, and only while nothing more has expired.
  return count === known && log.instant(0) + plan.period > Math.max(now, state.since);
}

/** Decides again by a state that was kept, which is not one under an override. */
function repeatedDecision(ask: Ask, { state, now }: StateSnapshot): Decision {
  return decide(state, ask.plan, ask, now);
}
