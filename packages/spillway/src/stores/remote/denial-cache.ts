import {
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
  type Mode,
  type Observer,
  SECOND,
  type StateSnapshot,
  type Store,
  type StoreWithin,
} from "../../limits/core/index.ts";

/** How many refusals are remembered in this process, and how long. */
export type DenialCacheOptions = {
  /** The most keys that are remembered as refused, the oldest go first: 1 to a million. Default: 10 000. */
  readonly most?: number;
  /**
   * The most milliseconds for which a refusal is repeated without asking: 1 to an hour. Default: 1000.
   * What another process has reset, settled or unblocked is seen after at most this time.
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

type Known = {
  /** Undefined where the budget was changed here: what was asked before may not know it. */
  readonly snapshot: StateSnapshot | undefined;
  /** For how large a call all is known that its answer depends on. */
  readonly count: number;
  /** When it was asked about: never later than the instant of the snapshot. */
  readonly asked: number;
};

/**
 * Repeats refusals in this process while they stand.
 *
 * States that stood in the way of a call are kept for a while: what is asked next is worked out from
 * them by the same steps, and where that is a refusal, it stands, for others can only have taken more.
 * So a flood on an exhausted key costs the store next to nothing. It learns from stores that have
 * `observe`. With the options `false` the store is returned as it is.
 *
 * Not where a `reset` or a `settle` in one process has to be seen in all others at once.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function denialCache<M extends Mode>(
  store: Store<M>,
  options: DenialCacheOptions | boolean = true,
): Store<M> {
  if (options === false) return store;
  const settings = group(TABLE)(options === true ? {} : options, "denialCache");
  return new DenialCache(store, new Denials(settings));
}

class DenialCache<M extends Mode> implements Store<M> {
  readonly mode: M;
  readonly within?: (transaction: object) => StoreWithin<M>;
  readonly #store: Store<M>;
  readonly #denials: Denials;

  constructor(store: Store<M>, denials: Denials) {
    this.mode = store.mode;
    this.#store = store;
    this.#denials = denials;
    store.observe?.(() => denials.observer());
    if (store.within !== undefined) this.within = store.within.bind(store);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    const known = this.#known(command);
    if (known === undefined) return this.#store.execute(command);
    return asAnswer(this.mode, known as AnswerTo<C>);
  }

  /** The answer that stands, if there is one. */
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
        this.#denials.forget(command.budgets[0]);
    }
    return undefined;
  }
}

/** What is known of budgets that have refused. */
class Denials {
  readonly #maxAge: number;
  readonly #clock: Clock;
  readonly #known: RecentParts<Known>;

  constructor({ most, maxAge, clock }: Required<DenialCacheOptions>) {
    this.#known = new RecentParts(most);
    this.#maxAge = maxAge;
    this.#clock = clock;
  }

  /** The answers to asks, if at least one is a refusal that stands; undefined if the store knows. */
  find(asks: readonly Ask[]): readonly Decision[] | undefined {
    const snapshots = this.#snapshotsOf(asks);
    if (snapshots === undefined) return undefined;
    const answers = asks.map((ask, index) => decideOn(ask, snapshots[index] as StateSnapshot));
    if (answers.every(({ ok }) => ok)) return undefined;
    return answers.map((answer, index) => {
      const { state, now } = snapshots[index] as StateSnapshot;
      return answer.ok
        ? notCharged(answer, valueAt(state, (asks[index] as Ask).plan, now))
        : answer;
    });
  }

  /**
   * States of budgets none of which has a unit left, and of which all is known that asks for so many
   * units depend on; undefined if the store knows better.
   */
  peek(budgets: readonly Budget[], units = MOST_UNITS): readonly StateSnapshot[] | undefined {
    const snapshots = this.#snapshotsOf(
      budgets.map((budget) => ({ ...budget, count: units, reserve: false })),
    );
    const isSpent = snapshots?.every(({ state, now }, index) => {
      const ask = { ...(budgets[index] as Budget), count: 1, reserve: false };
      return state.log?.isSummary !== true && !decideOn(ask, { state, now }).ok;
    });
    return isSpent ? snapshots : undefined;
  }

  /** Learns from what comes of commands that set out now. */
  observer(): Observer {
    const asked = this.#clock();
    return {
      refused: (budget, snapshot) => {
        const { count = MOST_UNITS } = budget;
        // What is in flight can end at any time, anywhere: a refusal for it does not stand.
        if (budget.plan.algorithm.list !== "leases") this.#note(budget, { snapshot, count, asked });
      },
      // It may now refuse as well, or more: the store knows.
      taken: (budget) => this.#taken(budget),
      changed: (budget) => this.forget(budget),
    };
  }

  /** Forgets what is known of a budget, and what answers under way will say of it. */
  forget(budget: Budget): void {
    this.#known.set(budgetId(budget), { snapshot: undefined, count: 0, asked: this.#clock() });
  }

  /** That it was changed here stays known: answers from before may still be under way. */
  #taken(budget: Budget): void {
    const id = budgetId(budget);
    if (this.#known.get(id)?.snapshot !== undefined) this.#known.delete(id);
  }

  #note(budget: Budget, known: Known): void {
    const id = budgetId(budget);
    const before = this.#known.get(id);
    if (before === undefined || !this.#isOutdated(known, before)) this.#known.set(id, known);
  }

  /** Whether what is known already is newer: answers may overtake each other. */
  #isOutdated({ snapshot, asked }: Known, before: Known): boolean {
    if (before.snapshot === undefined) return asked <= before.asked;
    // Where the clock went back, what was asked before seems to be newer.
    if (before.asked > this.#clock()) return false;
    const isSooner = snapshot !== undefined && snapshot.now < before.snapshot.now;
    return asked < before.asked || (asked === before.asked && isSooner);
  }

  /** What is known of all budgets, as of now; undefined where something is not, or is too old. */
  #snapshotsOf(asks: readonly Ask[]): readonly StateSnapshot[] | undefined {
    const snapshots: StateSnapshot[] = [];
    for (const ask of asks) {
      const known = this.#known.get(budgetId(ask));
      if (known?.snapshot === undefined || known.snapshot.state.plan !== ask.plan) return undefined;
      const age = this.#clock() - known.asked;
      if (age < 0 || age >= this.#maxAge) return undefined;
      const snapshot = { state: known.snapshot.state, now: known.snapshot.now + age };
      if (!tellsAll(snapshot, ask, known.count)) return undefined;
      snapshots.push(snapshot);
    }
    return snapshots;
  }
}

/** Whether all that an answer depends on is known, for a state that a call of some count has been refused on. */
function tellsAll({ state, now }: StateSnapshot, { plan, count }: Ask, known: number): boolean {
  if (plan.algorithm.list !== "log") return true;
  const { log } = state;
  if (log?.isSummary !== true || log.length === 0) return count <= known;
  // It says so of that count alone, and of instants at which nothing more is over.
  return count === known && log.instant(0) + plan.period > Math.max(now, state.since);
}

function decideOn(ask: Ask, { state, now }: StateSnapshot): Decision {
  return decide(state, ask.plan, ask, now);
}
