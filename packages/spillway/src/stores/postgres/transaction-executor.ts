import { inTime, plainBudgetId } from "../../internal/index.ts";
import {
  type Clock,
  type Command,
  elapsed,
  type RegisterAnswer,
  type RegisterCommand,
  SpillwayError,
} from "../../limits/core/index.ts";
import { type CommandOutcome, type Executor, PortRequest, replay } from "../index.ts";
import type { PostgresConnection, Statement, TransactionConnection } from "./clients/index.ts";
import { explained } from "./errors.ts";
import { type RegisterStatements, readRegisterReply } from "./register-statements.ts";
import { readReply } from "./reply.ts";
import { OVER, type Statements, UNKNOWN } from "./statements.ts";
import type { PostgresSweeper } from "./sweeper.ts";

/** The parts and settings of executors, which differ in their connection. */
export type ExecutorSettings = {
  readonly statements: Statements;
  readonly register: RegisterStatements;
  readonly sweeper: PostgresSweeper;
  /** The name of the schema, for messages. */
  readonly schema: string;
  /** The time after which a caller no longer waits for an answer, in milliseconds. */
  readonly deadline: number;
  /** Replaces the server's clock in tests. */
  readonly clock: Clock | undefined;
};

type TransactionExecutorSettings = ExecutorSettings & {
  /** Runs statements in the caller's transaction, as far as its library can guarantee that. */
  readonly inside: TransactionConnection;
  /** The store's own connection. */
  readonly outside: PostgresConnection;
};

/**
 * Executes commands in one transaction of the caller.
 *
 * After it ends, its connection may have other users. So every statement except the first one names
 * the transaction by the server's id, and does nothing in another one.
 */
export class TransactionExecutor implements Executor<"later"> {
  readonly timing = "later";
  readonly name = "postgres";
  readonly #settings: TransactionExecutorSettings;
  #transaction = UNKNOWN;

  constructor(settings: TransactionExecutorSettings) {
    this.#settings = settings;
  }

  /**
   * @throws SpillwayError `bad-transaction` in another transaction than before. Errors of the
   * database are thrown unchanged.
   */
  async execute(commands: readonly Command[]): Promise<readonly CommandOutcome[]> {
    const { statements, sweeper, clock } = this.#settings;
    const request = new PortRequest(commands, plainBudgetId);
    const context = { now: clock?.(), transaction: this.#transaction };
    const statement = statements.execute(request, context);
    const reply = await this.#replyTo(statement);
    if (request.steps.length > 0) sweeper.passed(request.names);
    return replay(request, readReply(request, reply, statement.order), undefined);
  }

  /** @throws as `execute` does. */
  async register<C extends RegisterCommand>(command: C): Promise<RegisterAnswer<C>> {
    const { register, clock } = this.#settings;
    const context = { now: clock?.(), transaction: this.#transaction };
    return readRegisterReply(command, await this.#replyTo(register.of(command, context)));
  }

  /**
   * Whether the transaction has ended, according to the server.
   *
   * The question is sent on the store's own connection, because the transaction's connection may
   * have another user by now. Returns false if it can't be asked, or if the answer is unknown.
   * Commands sent in the transaction then name it.
   */
  async isOver(): Promise<boolean> {
    const { inside, outside, statements, deadline } = this.#settings;
    // A shared connection may be in that transaction.
    if (this.#transaction === UNKNOWN || inside.isBound() || outside.isShared) return false;
    const until = elapsed() + deadline;
    const status = outside.run(statements.status(this.#transaction), () => elapsed() >= until);
    const known = await inTime({ field: "status", timeout: deadline }, status).catch(
      () => undefined,
    );
    return known !== undefined && known !== "in progress";
  }

  /** @throws SpillwayError `bad-transaction` if this is another transaction */
  async #replyTo(statement: Statement): Promise<string> {
    const answer = await this.#run(statement);
    if (answer === OVER) throw transactionOver();
    return this.#noteTransaction(answer);
  }

  async #run(statement: Statement): Promise<string> {
    try {
      return await this.#settings.inside.run(statement, never);
    } catch (error) {
      throw explained(error, this.#settings.schema);
    }
  }

  /**
   * Stores the transaction's id, the last part of an answer, and returns the rest of the answer.
   */
  #noteTransaction(answer: string): string {
    const end = answer.lastIndexOf(" ");
    this.#transaction = answer.slice(end + 1);
    return answer.slice(0, end);
  }
}

/** The caller of a transaction waits for each of its statements. */
const never = () => false;

function transactionOver(): SpillwayError {
  return new SpillwayError({
    code: "bad-transaction",
    field: "transaction",
    expected: "a transaction that is still open, but this one has ended",
    hint: "After its end, call the limiter itself, not what `within` returned",
  });
}
