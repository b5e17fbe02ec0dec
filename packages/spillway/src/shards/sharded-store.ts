import { degraded, notCharged } from "../algorithms/index.ts";
import {
  type Answer,
  type Ask,
  after,
  all,
  type Budget,
  type Decision,
  type LeaseRef,
  type Mode,
  type Random,
  type Settlement,
  type Sight,
  type Store,
  type Value,
} from "../core/index.ts";
import { budgetsOf, shardOf } from "./budgets.ts";
import { Fullness } from "./fullness.ts";
import { Whole } from "./whole.ts";

/** How often an ask is divided anew, where others took what was seen before it could. */
const ATTEMPTS = 3;
/** When to come back after a store has failed, in milliseconds. */
const SOON = 1000;

/** For each ask all shards of its key; undefined where its limit is not sharded. */
type Wholes = readonly (Whole | undefined)[];

/** What is known of asks: all shards of those that have them, and the last answers of the others. */
type Seen = { readonly wholes: Wholes; readonly plain: readonly Decision[] };

/** Something now, or an answer of the store's mode. */
type Later<M extends Mode, T> = Answer<M, T> | T;

/**
 * A store that spreads each key of a sharded limit over several budgets of another store.
 *
 * An ask goes to the fuller of two shards drawn at random, as far as is known here; where that one
 * refuses, all are looked at, and the ask is divided among those that have something. So it is
 * refused only where all together have too few whole units. What is not sharded passes through.
 */
export class ShardedStore<M extends Mode> implements Store<M> {
  readonly mode: M;
  readonly within?: (transaction: object) => Store<M>;
  readonly #store: Store<M>;
  readonly #random: Random;
  /** Answers without the store; undefined where nothing is to. */
  readonly #blindly: ((asks: readonly Ask[]) => readonly Decision[]) | undefined;
  readonly #fullness = new Fullness();

  /** @param failing Whether a failure of the store is answered where it can be; else it is thrown. */
  constructor(store: Store<M>, random: Random, failing: "answered" | "thrown" = "answered") {
    this.mode = store.mode;
    this.#store = store;
    this.#random = random;
    this.#blindly = failing === "answered" ? (asks) => asks.map(blindly) : undefined;
    const { within } = store;
    if (within === undefined) return;
    // What has failed in a transaction has failed all of it.
    this.within = (transaction) =>
      new ShardedStore(within.call(store, transaction), random, "thrown");
  }

  limit(ask: Ask): Answer<M, Decision> {
    if (isWhole(ask)) return this.#store.limit(ask);
    return after(this.mode, this.limitAll([ask]), (decisions) => decisions[0] as Decision);
  }

  check(ask: Ask): Answer<M, Decision> {
    if (isWhole(ask)) return this.#store.check(ask);
    return after(this.mode, this.checkAll([ask]), (decisions) => decisions[0] as Decision);
  }

  limitAll(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    if (asks.every(isWhole)) return this.#store.limitAll(asks);
    const drawn = asks.map((ask) => this.#draw(ask));
    return after(this.mode, this.#store.limitAll(drawn), (decisions) => {
      this.#fullness.note(drawn, decisions);
      return this.#unlessRefused(asks, decisions, (wholes) =>
        this.#divide(asks, { wholes, plain: decisions }, ATTEMPTS),
      );
    });
  }

  checkAll(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    if (asks.every(isWhole)) return this.#store.checkAll(asks);
    const drawn = asks.map((ask) => this.#draw(ask));
    return after(this.mode, this.#store.checkAll(drawn), (decisions) =>
      this.#unlessRefused(asks, decisions, (wholes) =>
        answersOf(asks, { wholes, plain: decisions }),
      ),
    );
  }

  settle(budget: Budget, settlement: Settlement): Answer<M, Value> {
    if (isWhole(budget)) return this.#store.settle(budget, settlement);
    return after(this.mode, this.#wholeOf(budget), (whole) => {
      const settling = whole
        .settlements(settlement)
        .map((one) => this.#store.settle(one.budget, one.settlement));
      return after(this.mode, all(this.mode, settling), () => this.value(budget));
    });
  }

  release(budget: Budget, held: LeaseRef): Answer<M, boolean> {
    return this.#store.release(budget, held);
  }

  renew(budget: Budget, held: LeaseRef): Answer<M, boolean> {
    return this.#store.renew(budget, held);
  }

  value(budget: Budget): Answer<M, Value> {
    if (isWhole(budget)) return this.#store.value(budget);
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
    const draw = () =>
      shardOf({ plan, key }, Math.min(plan.shards - 1, Math.floor(this.#random() * plan.shards)));
    // Nothing is reserved before all shards have been seen: another may have it now.
    return { ...this.#fullness.fuller([draw(), draw()]), ...amount, reserve: false };
  }

  /** What single shards have answered, if they admit; else what all shards together have to say. */
  #unlessRefused(
    asks: readonly Ask[],
    decisions: readonly Decision[],
    otherwise: (wholes: Wholes) => Later<M, readonly Decision[]>,
  ): Later<M, readonly Decision[]> {
    const isSettled = decisions.every(({ ok }) => ok) || decisions.some(({ degraded }) => degraded);
    if (isSettled) return decisions.map((decision, index) => ofWhole(asks[index] as Ask, decision));
    return this.#afterLook(asks, otherwise);
  }

  /** Takes from several shards what no single one had; several times, if others are quicker. */
  #divide(asks: readonly Ask[], seen: Seen, attempts: number): Later<M, readonly Decision[]> {
    const wanted = answersOf(asks, seen);
    if (!wanted.every(({ ok }) => ok)) return wanted;
    if (attempts === 0) return asks.map((ask, index) => lost(ask, wanted[index] as Decision));
    const parts = asks.map((ask, index) => seen.wholes[index]?.asksFor(ask) ?? [ask]);
    if (parts.every(({ length }) => length === 0)) return wanted;
    return after(this.mode, this.#store.limitAll(parts.flat()), (taken) => {
      const answers = joined(parts, taken, wanted);
      const isSettled = answers.every(({ ok }) => ok) || answers.some(({ degraded }) => degraded);
      if (isSettled) return answers;
      return this.#afterLook(asks, (wholes) =>
        this.#divide(asks, { wholes, plain: answers }, attempts - 1),
      );
    });
  }

  #afterLook(
    asks: readonly Ask[],
    next: (wholes: Wholes) => Later<M, readonly Decision[]>,
  ): Later<M, readonly Decision[]> {
    const blindly = this.#blindly;
    return after(this.mode, this.#look(asks), next, blindly && (() => blindly(asks)));
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
    if (isWhole(budget)) return change(budget);
    return after(this.mode, all(this.mode, budgetsOf(budget).map(change)), () => undefined);
  }
}

function isWhole({ plan }: Budget): boolean {
  return plan.shards === 1;
}

/** What all shards together, and limits without shards, say to asks; none is taken if one refuses. */
function answersOf(asks: readonly Ask[], { wholes, plain }: Seen): readonly Decision[] {
  const answers = asks.map(
    (ask, index) => wholes[index]?.decide(ask) ?? (plain[index] as Decision),
  );
  if (answers.every(({ ok }) => ok)) return answers;
  return answers.map((answer, index) => {
    const whole = wholes[index];
    return answer.ok && whole !== undefined ? notCharged(answer, whole.value()) : answer;
  });
}

/** One answer for each ask from those for its parts: what was wanted, if all of them were taken. */
function joined(
  parts: readonly (readonly Ask[])[],
  taken: readonly Decision[],
  wanted: readonly Decision[],
): readonly Decision[] {
  const decisions = taken.values();
  return parts.map((asks, index) => {
    const each = asks.map(() => decisions.next().value as Decision);
    const whole = wanted[index] as Decision;
    const [decision] = each;
    const isPlain = asks[0]?.plan.shards === 1;
    if (decision === undefined) return whole;
    const telling = each.find(({ degraded }) => degraded) ?? each.find(({ ok }) => !ok);
    if (telling !== undefined) return { ...telling, capacity: whole.capacity };
    return isPlain ? decision : asTaken(whole, each);
  });
}

/** What was wanted, with the starts that were given: others may have reserved in between. */
function asTaken(whole: Decision, parts: readonly Decision[]): Decision {
  const most = (time: (part: Decision) => number) => Math.max(...parts.map(time));
  return {
    ...whole,
    retryAfter: most(({ retryAfter }) => retryAfter),
    resetAfter: Math.max(
      whole.resetAfter,
      most(({ resetAfter }) => resetAfter),
    ),
  };
}

/** Others were quicker, again and again: there was room, and there may be in a moment. */
function lost({ plan }: Ask, wanted: Decision): Decision {
  if (plan.shards === 1) return wanted;
  return { ...wanted, ok: false, remaining: 0, retryAfter: 1, reason: "limited" };
}

/** The store failed between a shard's refusal and a look at the others. */
function blindly({ plan }: Ask): Decision {
  return degraded(plan, SOON);
}

/** A shard's answer as its limit's: at least that much is left. */
function ofWhole({ plan }: Ask, decision: Decision): Decision {
  return plan.shards === 1 || decision.degraded
    ? decision
    : { ...decision, capacity: plan.capacity };
}
