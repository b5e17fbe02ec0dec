import { Steps } from "../../algorithms/index.ts";
import type {
  Ask,
  Budget,
  Clock,
  Decision,
  LeaseRef,
  Settlement,
  Sight,
  Store,
  Value,
} from "../../core/index.ts";
import type { Definitions } from "./definitions.ts";
import { Entry } from "./entry.ts";
import type { Rows } from "./rows.ts";
import type { Sweeper } from "./sweeper.ts";
import type { Transactions } from "./transactions.ts";

/** What a ledger works with. */
export type LedgerSettings = {
  readonly rows: Rows;
  readonly transactions: Transactions;
  readonly definitions: Definitions;
  readonly sweeper: Sweeper;
  readonly clock: Clock;
};

/** A step on states that have been read, at one instant. */
type Step<T> = (now: number) => T;

/**
 * Reads rows into states, steps these, and writes back what has changed, in one transaction.
 *
 * What the connection throws is thrown as it is, and nothing is written then.
 */
export class Ledger implements Store<"now"> {
  readonly mode = "now";
  readonly #settings: LedgerSettings;
  /** One for each budget of a call; those of one call are good until the next. */
  readonly #entries: Entry[] = [];
  #budgets: readonly Budget[] = [];
  readonly #steps = new Steps(
    (budget) => (this.#entries[this.#budgets.indexOf(budget)] as Entry).state,
  );

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
  }

  limit(ask: Ask): Decision {
    return this.#write([ask], (now) => this.#steps.limit(ask, now));
  }

  check(ask: Ask): Decision {
    return this.#read([ask], (now) => this.#steps.check(ask, now));
  }

  limitAll(asks: readonly Ask[]): readonly Decision[] {
    return this.#write(asks, (now) => this.#steps.limitAll(asks, now));
  }

  checkAll(asks: readonly Ask[]): readonly Decision[] {
    return this.#read(asks, (now) => this.#steps.checkAll(asks, now));
  }

  settle(budget: Budget, settlement: Settlement): Value {
    return this.#write([budget], (now) => this.#steps.settle(budget, settlement, now));
  }

  release(budget: Budget, held: LeaseRef): boolean {
    return this.#write([budget], (now) => this.#steps.release(budget, held, now));
  }

  renew(budget: Budget, held: LeaseRef): boolean {
    return this.#write([budget], (now) => this.#steps.renew(budget, held, now));
  }

  value(budget: Budget): Value {
    return this.#read([budget], (now) => this.#steps.value(budget, now));
  }

  look(budgets: readonly Budget[]): readonly Sight[] {
    return this.#read(budgets, (now) => budgets.map((budget) => this.#steps.look(budget, now)));
  }

  reset(budget: Budget): void {
    this.#write([budget], (now) => this.#steps.reset(budget, now));
  }

  block(budget: Budget, ms: number): void {
    this.#write([budget], (now) => this.#steps.block(budget, ms, now));
  }

  unblock(budget: Budget): void {
    this.#write([budget], (now) => this.#steps.unblock(budget, now));
  }

  /** Without the lock that writing needs, unless a limit has changed or the clock has gone back. */
  #read<T>(budgets: readonly Budget[], step: Step<T>): T {
    const { transactions } = this.#settings;
    const answer = transactions.read(budgets.length, () => step(this.#load(budgets)));
    const isCarriedOver = budgets.some((_, index) => (this.#entries[index] as Entry).changed);
    if (!isCarriedOver) return answer;
    try {
      return this.#write(budgets, step);
    } catch {
      // Others keep the lock: what was read is true all the same, and is carried over the next time.
      return answer;
    }
  }

  #write<T>(budgets: readonly Budget[], step: Step<T>): T {
    return this.#settings.transactions.write(() => {
      const now = this.#load(budgets);
      const answer = step(now);
      this.#save(now);
      return answer;
    });
  }

  /** Reads the rows, and only then the clock: it can't be behind whoever wrote them. */
  #load(budgets: readonly Budget[]): number {
    const { rows, definitions, clock } = this.#settings;
    this.#budgets = budgets;
    for (let index = 0; index < budgets.length; index++) {
      const entry = this.#entries[index] ?? new Entry(definitions);
      this.#entries[index] = entry;
      entry.load(budgets[index] as Budget, rows);
    }
    return clock();
  }

  #save(now: number): void {
    const { rows, sweeper } = this.#settings;
    for (let index = 0; index < this.#budgets.length; index++) {
      if ((this.#entries[index] as Entry).save(rows, now)) sweeper.written(rows, now);
    }
  }
}
