import { Steps } from "../../limits/algorithms/index.ts";
import type { AnswerTo, Budget, Clock, Command, Verb } from "../../limits/core/index.ts";
import type { CommandOutcome, Executor, RequestInfo } from "../index.ts";
import { BudgetRow } from "./budget-row.ts";
import type { BusyTimeout } from "./busy-timeout.ts";
import type { DefinitionTexts } from "./definition-texts.ts";
import { isOnLease, type LeaseCommand } from "./lease-transaction.ts";
import type { Rows } from "./rows.ts";
import { RowError } from "./rows.ts";
import type { SqliteSweeper } from "./sweeper.ts";
import type { Transactions } from "./transactions.ts";

/** The settings of an executor. */
export type SqliteExecutorSettings = OfConnection & {
  readonly rows: Rows;
  readonly transactions: Transactions;
  readonly definitions: DefinitionTexts;
  readonly sweeper: SqliteSweeper;
  readonly clock: Clock;
  readonly timeout: BusyTimeout;
};

/** What depends on the connection; one that has joined a transaction has no `within`. */
type OfConnection = Pick<Executor<"now">, "within" | "obstacle" | "isOver">;

/** What takes no lock, so that it goes on while others keep the lock for writing. */
const READS: ReadonlySet<Verb> = new Set(["check", "value", "peek"]);

/**
 * Reads rows into states, steps these, and writes back what has changed, in one transaction.
 *
 * What the connection throws is thrown as it is, and nothing is written then.
 */
export class SqliteExecutor implements Executor<"now"> {
  readonly mode = "now";
  readonly name = "sqlite";
  readonly within?: NonNullable<OfConnection["within"]>;
  readonly obstacle?: NonNullable<OfConnection["obstacle"]>;
  readonly isOver?: NonNullable<OfConnection["isOver"]>;
  readonly #settings: SqliteExecutorSettings;
  /** One for each budget of a command; those of one command are good until the next. */
  readonly #entries: BudgetRow[] = [];
  #budgets: readonly Budget[] = [];
  readonly #steps = new Steps(
    (budget) => (this.#entries[this.#budgets.indexOf(budget)] as BudgetRow).state,
  );

  constructor(settings: SqliteExecutorSettings) {
    this.#settings = settings;
    if (settings.within !== undefined) this.within = settings.within;
    if (settings.obstacle !== undefined) this.obstacle = settings.obstacle;
    if (settings.isOver !== undefined) this.isOver = settings.isOver;
  }

  nodeOf(_slot: number, verb: Verb): string {
    return READS.has(verb) ? "sqlite, reading" : "sqlite, writing";
  }

  /** One row that can't be read says nothing of the others. */
  blamesNode(error: Error): boolean {
    return !(error instanceof RowError);
  }

  /** A probe does not wait for others: an outage must not cost its timeout again and again. */
  execute([command]: readonly Command[], { isProbe }: RequestInfo): readonly CommandOutcome[] {
    const work = () => this.#carryOut(command as Command);
    return [{ answer: isProbe ? this.#settings.timeout.shortened(work) : work() }];
  }

  /** Whether a lease is seen to be in flight. Changes nothing. */
  holds(command: LeaseCommand): boolean {
    const { budgets, lease } = command;
    return this.#settings.transactions.read(1, () =>
      this.#steps.execute({ verb: "release", budgets, lease }, this.#load(budgets)),
    );
  }

  /** Whether nobody keeps the lock at this instant: it is not waited for. */
  isLockable(): boolean {
    const { timeout, transactions } = this.#settings;
    try {
      timeout.shortened(() => transactions.write(() => {}), 0);
      return true;
    } catch {
      return false;
    }
  }

  #carryOut<C extends Command>(command: C): AnswerTo<C> {
    // What is not seen in a transaction is gone, and nothing is locked for it.
    if (this.isOver && isOnLease(command) && !this.holds(command)) return false as AnswerTo<C>;
    return READS.has(command.verb) ? this.#read(command) : this.#write(command);
  }

  /** Without the lock that writing needs, unless a limit has changed or the clock has gone back. */
  #read<C extends Command>(command: C): AnswerTo<C> {
    const { budgets } = command;
    const answer = this.#settings.transactions.read(budgets.length, () =>
      this.#steps.execute(command, this.#load(budgets)),
    );
    const isCarriedOver = budgets.some((_, index) => (this.#entries[index] as BudgetRow).changed);
    if (!isCarriedOver) return answer;
    try {
      return this.#write(command);
    } catch {
      // Others keep the lock: what was read is true all the same, and is migrated the next time.
      return answer;
    }
  }

  #write<C extends Command>(command: C): AnswerTo<C> {
    return this.#settings.transactions.write(() => {
      const now = this.#load(command.budgets);
      const answer = this.#steps.execute(command, now);
      this.#save(now);
      return answer;
    });
  }

  /** Reads the rows, and only then the clock: it can't be behind whoever wrote them. */
  #load(budgets: readonly Budget[]): number {
    const { rows, definitions, clock } = this.#settings;
    this.#budgets = budgets;
    for (let index = 0; index < budgets.length; index++) {
      const entry = this.#entries[index] ?? new BudgetRow(definitions);
      this.#entries[index] = entry;
      entry.load(budgets[index] as Budget, rows);
    }
    return clock();
  }

  /** Sweeps when all is written: before, it could remove a row that is about to be updated. */
  #save(now: number): void {
    const { rows, sweeper } = this.#settings;
    let written = 0;
    for (let index = 0; index < this.#budgets.length; index++) {
      if ((this.#entries[index] as BudgetRow).save(rows, now)) written++;
    }
    sweeper.written(written, rows, now);
  }
}
