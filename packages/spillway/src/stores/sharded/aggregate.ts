/** All shards of a key together: their units, their answers, and which of them serve a call. */
import { decide, unsettledAt, usedAt, valueAt } from "../../limits/algorithms/index.ts";
import {
  type Amount,
  type Ask,
  type Budget,
  type Decision,
  decisionOf,
  type Plan,
  type StateSnapshot,
  type Value,
} from "../../limits/core/index.ts";
import { budgetsOf } from "./shards.ts";

/** A snapshot of all shards of a key. */
export class Aggregate {
  readonly #plan: Plan;
  readonly #budgets: readonly Budget[];
  readonly #snapshots: readonly StateSnapshot[];

  constructor(budget: Budget, snapshots: readonly StateSnapshot[]) {
    this.#plan = budget.plan;
    this.#budgets = budgetsOf(budget);
    this.#snapshots = snapshots;
  }

  /** Returns what the key has left. */
  value(): Value {
    const values = this.#snapshots.map(({ state, now }, shard) =>
      valueAt(state, this.#part(shard), now),
    );
    const sum = (count: (value: Value) => number) =>
      values.reduce((all, one) => all + count(one), 0);
    const most = (count: (value: Value) => number) => Math.max(...values.map(count));
    return {
      limit: this.#plan.limit,
      capacity: this.#plan.capacity,
      remaining: sum(({ remaining }) => remaining),
      reserved: sum(({ reserved }) => reserved),
      resetAfter: most(({ resetAfter }) => resetAfter),
      blockedFor: most(({ blockedFor }) => blockedFor),
    };
  }

  /** Returns the answer to a call that all shards serve together, as if it was charged. */
  decide(amount: Amount): Decision {
    const value = this.value();
    const parts = this.split(amount);
    if (parts === undefined) return this.#refuse(amount, value);
    const starts = parts.map((count, shard) =>
      count === 0 ? 0 : this.#ask(shard, { ...amount, count }).retryAfter,
    );
    return decisionOf(this.#plan, {
      remaining: Math.max(0, value.remaining - amount.count),
      retryAfter: Math.max(0, ...starts),
      resetAfter: Math.max(value.resetAfter, ...this.#resets(parts, amount.reserve)),
    });
  }

  /**
   * Returns how many units to take from each shard, the fullest first; undefined if all together
   * have too few.
   */
  split({ count, reserve }: Amount): readonly number[] | undefined {
    if (this.value().blockedFor > 0) return undefined;
    const [left, room] = [this.#left(0), reserve ? this.#room(0) : this.#left(0)];
    return sum(room) >= Math.max(1, count) ? spread(left, count, room) : undefined;
  }

  /** Returns the settlement for each shard, so that the whole is settled. */
  settlements(settlement: { readonly reserved: number; readonly used: number }) {
    const unsettled = this.#snapshots.map(({ state, now }, shard) => {
      const plan = this.#part(shard);
      return Math.ceil(unsettledAt(state, plan, now) / plan.ticksPerUnit);
    });
    const reserved = fill(unsettled, settlement.reserved);
    const used = fill(reserved, settlement.used);
    // The rest is unsettled in no shard: it was settled before, or has come back.
    const more = settlement.used - sum(used) - (settlement.reserved - sum(reserved));
    if (more > 0) addEach(used, spread(this.#left(0), more));
    else reserved[busiest(unsettled)] = (reserved[busiest(unsettled)] as number) - more;
    return this.#budgets.flatMap((budget, shard) => {
      const one = { reserved: reserved[shard] as number, used: used[shard] as number };
      return one.reserved === 0 && one.used === 0 ? [] : [{ budget, settlement: one }];
    });
  }

  /**
   * Returns the asks that take an amount from the shards that have it; none if they have too few.
   */
  asksFor({ count, reserve }: Amount): readonly Ask[] {
    const parts = this.split({ count, reserve }) ?? [];
    return parts.flatMap((part, shard) =>
      part === 0 ? [] : [{ ...(this.#budgets[shard] as Budget), count: part, reserve }],
    );
  }

  #refuse(amount: Amount, value: Value): Decision {
    const { remaining, resetAfter } = value;
    const retryAfter = this.#wait(amount);
    const tooLarge = retryAfter === Infinity;
    const reason = value.blockedFor > 0 ? "blocked" : tooLarge ? "too large" : "limited";
    const left = reason === "blocked" ? 0 : remaining;
    return decisionOf(this.#plan, { remaining: left, retryAfter, resetAfter, reason });
  }

  /** Returns the shortest wait after which all shards together have enough, by bisection. */
  #wait({ count, reserve }: Amount): number {
    const need = Math.max(1, count);
    const most = reserve ? this.#plan.largestReserved : this.#plan.capacity;
    if (need > most) return Infinity;
    const has = (ms: number) => sum(reserve ? this.#room(ms) : this.#left(ms)) >= need;
    let [low, high] = [this.value().blockedFor, this.value().resetAfter];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      // Doubles beyond 2⁵³ skip integers, and a wait of 285 000 years need not be exact.
      if (middle >= high || middle + 1 <= low) return high;
      if (has(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns the whole units that each shard has left, `ms` from now. */
  #left(ms: number): number[] {
    return this.#units(ms, ({ capacityTicks }) => capacityTicks);
  }

  /** Returns the same, plus what can be taken ahead of time. */
  #room(ms: number): number[] {
    return this.#units(ms, ({ capacityTicks, reservableTicks }) => capacityTicks + reservableTicks);
  }

  #units(ms: number, most: (plan: Plan) => number): number[] {
    return this.#snapshots.map(({ state, now }, shard) => {
      const plan = this.#part(shard);
      const used = usedAt(state, plan, now + ms);
      return Math.max(0, Math.floor((most(plan) - used) / plan.ticksPerUnit));
    });
  }

  #resets(parts: readonly number[], reserve: boolean): number[] {
    return parts.map((count, shard) =>
      count === 0 ? 0 : this.#ask(shard, { count, reserve }).resetAfter,
    );
  }

  #ask(shard: number, amount: Amount): Decision {
    const { state, now } = this.#snapshots[shard] as StateSnapshot;
    return decide(state, this.#part(shard), amount, now);
  }

  #part(shard: number): Plan {
    return (this.#budgets[shard] as Budget).plan;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

function busiest(unsettled: readonly number[]): number {
  return unsettled.indexOf(Math.max(...unsettled));
}

function addEach(counts: number[], more: readonly number[]): void {
  for (const [shard, count] of more.entries()) counts[shard] = (counts[shard] as number) + count;
}

/**
 * Takes `count` units from what is available, the fullest shards first, so that few shards are
 * asked.
 */
function fill(available: readonly number[], count: number): number[] {
  const parts = available.map(() => 0);
  const has = (shard: number) => available[shard] as number;
  const order = [...available.keys()].sort((one, other) => has(other) - has(one));
  let left = count;
  for (const shard of order) {
    parts[shard] = Math.min(left, has(shard));
    left -= parts[shard] as number;
  }
  return parts;
}

/**
 * Takes `count` units: first what is left in each shard, then the rest evenly, as far as `room`
 * allows.
 */
function spread(left: readonly number[], count: number, room?: readonly number[]): number[] {
  if (sum(left) >= count) return fill(left, count);
  const parts = [...left];
  let open = [...parts.keys()];
  for (let rest = count - sum(left); rest > 0 && open.length > 0; ) {
    const each = Math.max(1, Math.floor(rest / open.length));
    for (const shard of open) {
      const most = room === undefined ? rest : (room[shard] as number) - (parts[shard] as number);
      const more = Math.min(each, rest, most);
      parts[shard] = (parts[shard] as number) + more;
      rest -= more;
    }
    open = open.filter(
      (shard) => room === undefined || (parts[shard] as number) < (room[shard] as number),
    );
  }
  return parts;
}
