import { type Awaitable, abilities, after, allOf, checkedRandom } from "../../internal/index.ts";
import {
  type Answer,
  type AnswerTo,
  type Ask,
  type Budget,
  type Command,
  type CommandOf,
  type Decision,
  type Random,
  type Settlement,
  SpillwayError,
  type Store,
  type StoreWithin,
  type Timing,
  type Value,
} from "../../limits/core/index.ts";
import { degraded } from "../remote/degraded.ts";
import { Aggregate } from "./aggregate.ts";
import {
  type Aggregates,
  answersOf,
  contendedDecision,
  mergedParts,
  ofAggregate,
  type ShardAnswers,
} from "./answers.ts";
import { ShardHints } from "./hints.ts";
import { budgetsOf, isWhole, shardAt, shardsIn } from "./shards.ts";

/** How often a call is divided again, if other processes took the units first. */
const ATTEMPTS = 3;
/**
 * The count for which a key is read if a call takes none: the result then also serves a call for
 * one.
 */
const LEAST_UNITS = 1;

/**
 * Spreads each key of a sharded limit over several budgets of another store.
 *
 * A call goes to the fuller of two shards drawn at random, as far as is known here. If that shard
 * refuses, all are read, and the call is divided among those with units left. So it is refused only
 * if all together have too few whole units. Limits without shards pass through.
 *
 * Not for a store in this process, in which no key is a bottleneck.
 *
 * @param random The source of randomness for the choice of shards.
 */
export function sharded<M extends Timing>(store: Store<M>, random?: Random): Store<M> {
  return new ShardedStore(store, checkedRandom(random));
}

/** The wait before a retry after a store has failed, in milliseconds. */
const SOON = 1000;

/** See `sharded`. */
export class ShardedStore<M extends Timing> implements StoreWithin<M> {
  readonly timing: M;
  readonly limit?: (ask: Ask) => Answer<M, Decision>;
  readonly within?: (transaction: object) => StoreWithin<M>;
  readonly isOver?: NonNullable<StoreWithin<M>["isOver"]>;
  readonly #store: Store<M>;
  readonly #random: Random;
  /** Returns fallback decisions; undefined if failures are thrown. */
  readonly #blindly: ((asks: readonly Ask[]) => readonly Decision[]) | undefined;
  readonly #hints: ShardHints;

  /**
   * @param outer The store outside, for a store in a transaction. Its hints are shared. Failures
   * are then thrown, because one failed command fails the whole transaction.
   */
  constructor(store: StoreWithin<M>, random: Random, outer?: ShardedStore<M>) {
    this.timing = store.timing;
    Object.assign(this, abilities(store));
    this.#store = store;
    this.#random = random;
    this.#hints = outer === undefined ? new ShardHints() : outer.#hints;
    this.#blindly =
      outer === undefined ? (asks) => asks.map((ask) => degraded(ask, SOON)) : undefined;
    const { limit, within, isOver } = store;
    if (isOver !== undefined) this.isOver = isOver.bind(store);
    if (limit !== undefined) {
      this.limit = (ask) => (isWhole(ask) ? limit.call(store, ask) : this.#limitOne(ask));
    }
    if (within !== undefined)
      this.within = (transaction) => this.inside(within.call(store, transaction));
  }

  /** Shards of the same limits in a transaction. */
  inside(store: StoreWithin<M>): StoreWithin<M> {
    return new ShardedStore(store, this.#random, this);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    if (command.verb === "peek" || command.budgets.every(isWhole)) {
      return this.#store.execute(command);
    }
    return this.#onShards(command) as Answer<M, AnswerTo<C>>;
  }

  #limitOne(ask: Ask): Answer<M, Decision> {
    return after(this.timing, this.#limit([ask]), (decisions) => decisions[0] as Decision);
  }

  #onShards(command: Command): Answer<M, unknown> {
    const [budget] = command.budgets as readonly [Budget];
    switch (command.verb) {
      case "limit":
        return this.#limit(command.budgets);
      case "check":
        return this.#check(command.budgets);
      case "settle":
        return this.#settle(budget, command.settlement);
      case "value":
        return this.#value(budget);
      case "block":
        return this.#onAll(budget, (one) => ({ ...command, budgets: [one] }));
      case "reset":
      case "unblock":
        return this.#onAll(budget, (one) => ({ verb: command.verb, budgets: [one] }));
    }
    // Concurrency limits have no shards, and only their leases are released or renewed.
    return this.#store.execute(command);
  }

  #limit(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const drawn = asks.map((ask) => this.#pickShard(ask));
    const taken = this.#store.execute({ verb: "limit", budgets: drawn });
    return after(this.timing, taken, (decisions) => {
      this.#hints.note(drawn, decisions);
      return this.#unlessRefused(asks, decisions, (aggregates) =>
        this.#divide(asks, { aggregates, plain: decisions }, ATTEMPTS),
      );
    });
  }

  #check(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const drawn = asks.map((ask) => this.#pickShard(ask));
    const checked = this.#store.execute({ verb: "check", budgets: drawn });
    return after(this.timing, checked, (decisions) =>
      this.#unlessRefused(asks, decisions, (aggregates) =>
        answersOf(asks, { aggregates, plain: decisions }),
      ),
    );
  }

  #settle(budget: Budget, settlement: Settlement): Answer<M, Value> {
    return after(this.timing, this.#aggregateOf(budget), (aggregate) => {
      const settled = allOf(this.timing, aggregate.settlements(settlement), (one) =>
        this.#store.execute({
          verb: "settle",
          budgets: [one.budget],
          settlement: one.settlement,
        }),
      );
      return after(this.timing, settled, () => this.#value(budget));
    });
  }

  #value(budget: Budget): Answer<M, Value> {
    return after(this.timing, this.#aggregateOf(budget), (aggregate) => aggregate.value());
  }

  /** Returns the ask for one shard: the fuller of two, as far as is known. */
  #pickShard(ask: Ask): Ask {
    const shards = shardsIn(ask);
    if (shards === 1) return ask;
    const draw = () => shardAt(ask, Math.min(shards - 1, Math.floor(this.#random() * shards)));
    // Nothing is reserved before all shards have been read, because another shard may have the
    // units now.
    return { ...this.#hints.fuller([draw(), draw()]), count: ask.count, reserve: false };
  }

  /** Returns the answers of single shards if they admit, otherwise those of all shards together. */
  #unlessRefused(
    asks: readonly Ask[],
    decisions: readonly Decision[],
    otherwise: (aggregates: Aggregates) => Awaitable<M, readonly Decision[]>,
  ): Awaitable<M, readonly Decision[]> {
    const isSettled = decisions.every(({ ok }) => ok) || decisions.some(({ degraded }) => degraded);
    if (isSettled)
      return decisions.map((decision, index) => ofAggregate(asks[index] as Ask, decision));
    return this.#afterPeek(asks, otherwise);
  }

  /**
   * Takes from several shards what no single one had. Repeats this if other processes are faster.
   */
  #divide(
    asks: readonly Ask[],
    seen: ShardAnswers,
    attempts: number,
  ): Awaitable<M, readonly Decision[]> {
    const wanted = answersOf(asks, seen);
    if (!wanted.every(({ ok }) => ok)) return wanted;
    if (attempts === 0)
      return asks.map((ask, index) => contendedDecision(ask, wanted[index] as Decision));
    const parts = asks.map((ask, index) => seen.aggregates[index]?.asksFor(ask) ?? [ask]);
    if (parts.every(({ length }) => length === 0)) return wanted;
    return after(
      this.timing,
      this.#store.execute({ verb: "limit", budgets: parts.flat() }),
      (taken) => {
        const answers = mergedParts(parts, taken, wanted);
        const isSettled = answers.every(({ ok }) => ok) || answers.some(({ degraded }) => degraded);
        if (isSettled) return answers;
        return this.#afterPeek(asks, (aggregates) =>
          this.#divide(asks, { aggregates, plain: answers }, attempts - 1),
        );
      },
    );
  }

  #afterPeek(
    asks: readonly Ask[],
    next: (aggregates: Aggregates) => Awaitable<M, readonly Decision[]>,
  ): Awaitable<M, readonly Decision[]> {
    const blindly = this.#blindly;
    try {
      const units = Math.max(LEAST_UNITS, ...asks.map(({ count }) => count));
      return after(this.timing, this.#peek(asks, units), next, blindly && (() => blindly(asks)));
    } catch (error) {
      // A store that answers at once reports failures by throwing as well.
      if (blindly === undefined || !isUnavailable(error)) throw error;
      return blindly(asks);
    }
  }

  /**
   * Reads all shards of sharded asks; undefined for the others. A shard with this many units left
   * can serve any of the calls, so its further contents don't matter.
   */
  #peek(asks: readonly Budget[], units: number): Answer<M, Aggregates> {
    const spread = asks.filter((ask) => shardsIn(ask) > 1);
    const budgets = spread.flatMap(budgetsOf);
    const peeked = this.#store.execute({ verb: "peek", budgets, units });
    return after(this.timing, peeked, (snapshots) => {
      let at = 0;
      return asks.map((ask) => {
        const shards = shardsIn(ask);
        if (shards === 1) return undefined;
        at += shards;
        return new Aggregate(ask, snapshots.slice(at - shards, at));
      });
    });
  }

  #aggregateOf(budget: Budget): Answer<M, Aggregate> {
    const peeked = this.#peek([budget], LEAST_UNITS);
    return after(this.timing, peeked, ([aggregate]) => aggregate as Aggregate);
  }

  #onAll(
    budget: Budget,
    commandOn: (one: Budget) => CommandOf<"reset" | "block" | "unblock">,
  ): Answer<M, void> {
    const answers = allOf(this.timing, budgetsOf(budget), (one) =>
      this.#store.execute(commandOn(one)),
    );
    return after(this.timing, answers, () => undefined);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof SpillwayError && error.code === "unavailable";
}
