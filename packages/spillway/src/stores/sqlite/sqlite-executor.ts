import { Steps } from "../../limits/algorithms/index.ts";
import type {
  AnswerTo,
  Budget,
  Clock,
  Command,
  RegisterAnswer,
  RegisterCommand,
  Verb,
} from "../../limits/core/index.ts";
import type { CommandOutcome, Executor, RequestInfo } from "../index.ts";
import { BudgetRow } from "./budget-row.ts";
import type { BusyTimeout } from "./busy-timeout.ts";
import type { DefinitionTexts } from "./definition-texts.ts";
import { isOnLease, type LeaseCommand } from "./lease-transaction.ts";
import type { Rows } from "./rows.ts";
import { RowError } from "./rows.ts";
import type { SqliteRegister } from "./sqlite-register.ts";
import type { SqliteSweeper } from "./sweeper.ts";
import type { Transactions } from "./transactions.ts";

/** The settings of an executor. */
export type SqliteExecutorSettings = OfConnection & {
  readonly rows: Rows;
  readonly register: SqliteRegister;
  readonly transactions: Transactions;
  readonly definitions: DefinitionTexts;
  readonly sweeper: SqliteSweeper;
  readonly clock: Clock;
  readonly timeout: BusyTimeout;
};

/** The members that depend on the connection. In a transaction there is no `within`. */
type OfConnection = Pick<Executor<"now">, "within" | "obstacle" | "isOver">;

/** Commands that take no lock, so that they work while others hold the write lock. */
const READS: ReadonlySet<Verb> = new Set(["check", "value", "peek"]);

/**
 * Reads rows into states, executes steps on these, and writes changes back, in one transaction.
 *
 * Errors of the connection are thrown unchanged; nothing is written then.
 */
export class SqliteExecutor implements Executor<"now"> {
  readonly timing = "now";
  readonly overrides = true;
  readonly penalties = true;
  readonly name = "sqlite";
  readonly within?: NonNullable<OfConnection["within"]>;
  readonly obstacle?: NonNullable<OfConnection["obstacle"]>;
  readonly isOver?: NonNullable<OfConnection["isOver"]>;
  readonly #settings: SqliteExecutorSettings;
  /** One for each budget of the current command. Reused by the next command. */
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

  /** A row that can't be read is not a failure of the database. */
  blamesNode(error: Error): boolean {
    return !(error instanceof RowError);
  }

  /**
   * Executes a command. A probe waits for other writers for only 50 ms, so an outage costs little.
   */
  execute([command]: readonly Command[], { isProbe }: RequestInfo): readonly CommandOutcome[] {
    const work = () => this.#carryOut(command as Command);
    return [{ answer: isProbe ? this.#settings.timeout.shortened(work) : work() }];
  }

  /** Carries out a command of the register, in a transaction. */
  register<C extends RegisterCommand>(command: C): RegisterAnswer<C> {
    const { register, transactions, clock } = this.#settings;
    const work = () => register.execute(command, clock()) as RegisterAnswer<C>;
    return command.verb === "list"
      ? transactions.read(command.most, work)
      : transactions.write(work);
  }

  /** Whether this connection sees a lease in flight. Changes nothing. */
  holds(command: LeaseCommand): boolean {
    const { budgets, lease } = command;
    return this.#settings.transactions.read(1, () =>
      this.#steps.execute({ verb: "release", budgets, lease }, this.#load(budgets)),
    );
  }

  /** Whether the write lock is free at this instant. Does not wait for it. */
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
    // A lease that this transaction does not see is gone. So no lock is taken.
    if (this.isOver && isOnLease(command) && !this.holds(command)) return false as AnswerTo<C>;
    return READS.has(command.verb) ? this.#read(command) : this.#write(command);
  }

  /**
   * Executes a command without the write lock. Writes only if the limit has changed or the clock
   * stepped back.
   */
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
      // Others hold the lock. The answer is correct all the same, and the state is migrated next
      // time.
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

  /**
   * Reads the rows first, then the clock. So the clock is not behind the process that wrote the
   * rows.
   */
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

  /**
   * Writes changed states, then sweeps. An earlier sweep could remove a row that is about to be
   * updated.
   */
  #save(now: number): void {
    const { rows, sweeper } = this.#settings;
    let written = 0;
    for (let index = 0; index < this.#budgets.length; index++) {
      if ((this.#entries[index] as BudgetRow).save(rows, now)) written++;
    }
    sweeper.written(written, rows, now);
  }
}
