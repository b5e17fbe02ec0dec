import { untaken } from "../algorithms/index.ts";
import type {
  Answer,
  Ask,
  Budget,
  Decision,
  Mode,
  Random,
  Settlement,
  Sight,
  Store,
  Value,
} from "../core/index.ts";
import { Fullness } from "./fullness.ts";
import { budgetsOf, shardOf, Whole } from "./shards.ts";
import { after, all, andThen } from "./store.ts";

/** How often an ask is divided anew, where others took what was seen before it could. */
const ATTEMPTS = 3;

/** For each ask all shards of its key; undefined where its limit is not sharded. */
type Wholes = readonly (Whole | undefined)[];

/**
 * A store that spreads each key of a sharded limit over several budgets of another store.
 *
 * An ask goes to the fuller of two shards drawn at random, as far as is known here; where that one
 * refuses, all are looked at, and the ask is divided among those that have something. So it is
 * refused only where all together have too few whole units.
 */
export class ShardedStore<M extends Mode> implements Store<M> {
  readonly mode: M;
  readonly #store: Store<M>;
  readonly #random: Random;
  readonly #fullness = new Fullness();

  constructor(store: Store<M>, random: Random) {
    this.mode = store.mode;
    this.#store = store;
    this.#random = random;
  }

  limit(ask: Ask): Answer<M, Decision> {
    return after(this.mode, this.limitAll([ask]), (decisions) => decisions[0] as Decision);
  }

  check(ask: Ask): Answer<M, Decision> {
    return after(this.mode, this.checkAll([ask]), (decisions) => decisions[0] as Decision);
  }

  limitAll(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const drawn = asks.map((ask) => this.#draw(ask));
    return andThen(this.mode, this.#store.limitAll(drawn), (decisions) => {
      this.#fullness.note(drawn, decisions);
      return this.#unlessRefused(asks, decisions, (wholes) =>
        this.#divide(asks, wholes, decisions, ATTEMPTS),
      );
    });
  }

  checkAll(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const drawn = asks.map((ask) => this.#draw(ask));
    return andThen(this.mode, this.#store.checkAll(drawn), (decisions) =>
      this.#unlessRefused(asks, decisions, (wholes) => answersOf(asks, wholes, decisions)),
    );
  }

  settle(budget: Budget, settlement: Settlement): Answer<M, Value> {
    return andThen(this.mode, this.#wholeOf(budget), (whole) => {
      const settling = whole
        .settlements(settlement)
        .map((one) => this.#store.settle(one.budget, one.settlement));
      return andThen(this.mode, all(this.mode, settling), () => this.value(budget));
    });
  }

  value(budget: Budget): Answer<M, Value> {
    return after(this.mode, this.#wholeOf(budget), (whole) => whole.value());
  }

  look(budgets: readonly Budget[]): Answer<M, readonly Sight[]> {
    return this.#store.look(budgets);
  }

  reset(budget: Budget): Answer<M, void> {
    return this.#onAll(budget, (one) => this.#store.reset(one));
  }

  block(budget: Budget, ms: number): Answer<M, void> {
    return this.#onAll(budget, (one) => this.#store.block(one, ms));
  }

  unblock(budget: Budget): Answer<M, void> {
    return this.#onAll(budget, (one) => this.#store.unblock(one));
  }

  /** The ask on one shard: the fuller of two, as far as is known. */
  #draw(ask: Ask): Ask {
    const { plan, key, ...amount } = ask;
    if (plan.shards === 1) return ask;
    const draw = () => shardOf({ plan, key }, Math.floor(this.#random() * plan.shards));
    // Nothing is reserved before all shards have been seen: another may have it now.
    return { ...this.#fullness.fuller([draw(), draw()]), ...amount, reserve: false };
  }

  /** What single shards have answered, if they admit; else what all shards together have to say. */
  #unlessRefused(
    asks: readonly Ask[],
    decisions: readonly Decision[],
    otherwise: (wholes: Wholes) => Answer<M, readonly Decision[]> | readonly Decision[],
  ): Answer<M, readonly Decision[]> | readonly Decision[] {
    const answers = decisions.map((decision, index) => ofWhole(asks[index] as Ask, decision));
    const isSettled = decisions.every(({ ok }) => ok) || decisions.some(({ degraded }) => degraded);
    return isSettled ? answers : andThen(this.mode, this.#look(asks), otherwise, () => answers);
  }

  /** Takes from several shards what no single one had; several times, if others are quicker. */
  #divide(
    asks: readonly Ask[],
    wholes: Wholes,
    before: readonly Decision[],
    attempts: number,
  ): Answer<M, readonly Decision[]> | readonly Decision[] {
    const answers = answersOf(asks, wholes, before);
    if (attempts === 0 || !answers.every(({ ok }) => ok)) return answers;
    const parts = asks.flatMap((ask, index) => wholes[index]?.asksFor(ask) ?? [ask]);
    if (parts.length === 0) return answers;
    return andThen(this.mode, this.#store.limitAll(parts), (decisions) => {
      if (decisions.every(({ ok }) => ok)) return answers;
      const again = (seen: Wholes) => this.#divide(asks, seen, before, attempts - 1);
      return andThen(this.mode, this.#look(asks), again, () => before);
    });
  }

  /** All shards of the asks whose limits are sharded; undefined for the others. */
  #look(asks: readonly Budget[]): Answer<M, Wholes> {
    const sharded = asks.filter(({ plan }) => plan.shards > 1);
    const seen = this.#store.look(sharded.flatMap(budgetsOf));
    return after(this.mode, seen, (sights) => {
      let at = 0;
      return asks.map((ask) => {
        if (ask.plan.shards === 1) return undefined;
        at += ask.plan.shards;
        return new Whole(ask, sights.slice(at - ask.plan.shards, at));
      });
    });
  }

  #wholeOf(budget: Budget): Answer<M, Whole> {
    return after(this.mode, this.#look([budget]), ([whole]) => whole as Whole);
  }

  #onAll(budget: Budget, change: (one: Budget) => Answer<M, void>): Answer<M, void> {
    return after(this.mode, all(this.mode, budgetsOf(budget).map(change)), () => undefined);
  }
}

/** What all shards together, and limits without shards, say to asks; none is taken if one refuses. */
function answersOf(
  asks: readonly Ask[],
  wholes: Wholes,
  before: readonly Decision[],
): readonly Decision[] {
  const answers = asks.map(
    (ask, index) => wholes[index]?.decide(ask) ?? (before[index] as Decision),
  );
  if (answers.every(({ ok }) => ok)) return answers;
  return answers.map((answer, index) => {
    const whole = wholes[index];
    return answer.ok && whole !== undefined ? untaken(answer, whole.value()) : answer;
  });
}

/** A shard's answer as its limit's: at least that much is left. */
function ofWhole({ plan }: Ask, decision: Decision): Decision {
  return plan.shards === 1 || decision.degraded
    ? decision
    : { ...decision, capacity: plan.capacity };
}
