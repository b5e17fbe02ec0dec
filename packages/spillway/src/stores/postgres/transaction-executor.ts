import { inTime, plainBudgetId } from "../../internal/index.ts";
import { type Clock, type Command, elapsed, SpillwayError } from "../../limits/core/index.ts";
import { type CommandOutcome, type Executor, PortRequest, replay } from "../index.ts";
import type { PostgresConnection, Statement, TransactionConnection } from "./clients/index.ts";
import { explained } from "./errors.ts";
import { readReply } from "./reply.ts";
import { OVER, type Statements, UNKNOWN } from "./statements.ts";
import type { PostgresSweeper } from "./sweeper.ts";

/** What executors work with, each by its own connection. */
export type ExecutorSettings = {
  readonly statements: Statements;
  readonly sweeper: PostgresSweeper;
  /** What it is called, for messages. */
  readonly schema: string;
  /** Milliseconds after which nobody waits for an answer any more. */
  readonly deadline: number;
  /** In place of the server's own, for tests. */
  readonly clock: Clock | undefined;
};

type Settings = ExecutorSettings & {
  /** Runs statements in the transaction, as far as its library knows. */
  readonly inside: TransactionConnection;
  /** The store's own. */
  readonly outside: PostgresConnection;
};

/**
 * Carries out commands in one transaction of the caller's.
 *
 * Once that is over its connection is used for others. So each statement but the first names the transaction, by
 * the id that the server has given it, and does nothing in another one.
 */
export class TransactionExecutor implements Executor<"later"> {
  readonly mode = "later";
  readonly name = "postgres";
  readonly #settings: Settings;
  #transaction = UNKNOWN;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** @throws SpillwayError `bad-transaction` in another transaction than before; errors of the database as they are. */
  async execute(commands: readonly Command[]): Promise<readonly CommandOutcome[]> {
    const { statements, sweeper, clock } = this.#settings;
    const request = new PortRequest(commands, plainBudgetId);
    const circumstances = { now: clock?.(), transaction: this.#transaction };
    const statement = statements.execute(request, circumstances);
    const answer = await this.#run(statement);
    if (answer === OVER) throw transactionOver();
    const reply = this.#noteTransaction(answer);
    if (request.steps.length > 0) sweeper.passed(request.names);
    return replay(request, readReply(request, reply, statement.order), undefined);
  }

  /**
   * Whether the transaction is over, as its server knows. Asked outside of it, so that nothing is sent to a
   * connection that somebody else may use by now. False where that can't be, and where nothing is known: what is
   * asked inside then names its transaction.
   */
  async isOver(): Promise<boolean> {
    const { inside, outside, statements, deadline } = this.#settings;
    // A connection that everybody shares may be in that transaction.
    if (this.#transaction === UNKNOWN || inside.isBound() || outside.isShared) return false;
    const until = elapsed() + deadline;
    const status = outside.run(statements.status(this.#transaction), () => elapsed() >= until);
    const known = await inTime({ field: "status", timeout: deadline }, status).catch(
      () => undefined,
    );
    return known !== undefined && known !== "in progress";
  }

  async #run(statement: Statement): Promise<string> {
    try {
      return await this.#settings.inside.run(statement, never);
    } catch (error) {
      throw explained(error, this.#settings.schema);
    }
  }

  /** Notes the id that ends an answer, and returns the rest. */
  #noteTransaction(answer: string): string {
    const end = answer.lastIndexOf(" ");
    this.#transaction = answer.slice(end + 1);
    return answer.slice(0, end);
  }
}

/** Whoever has begun a transaction waits for it. */
const never = () => false;

function transactionOver(): SpillwayError {
  return new SpillwayError({
    code: "bad-transaction",
    field: "transaction",
    expected: "a transaction that is still open, and this one is over",
    hint: "After its end ask the limiter itself, not what `within` gave for it",
  });
}
