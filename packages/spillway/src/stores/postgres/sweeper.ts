import { type Clock, HOUR } from "../../limits/core/index.ts";
import type { PostgresConnection } from "./clients/index.ts";
import type { Statements } from "./statements.ts";

/** Rows that are read in one go: enough to be worth a statement, and soon over. */
const LEAST = 200;
const MOST = 1000;

/**
 * Removes rows that equal fresh ones, as work goes by: for each row that is asked for, two are looked
 * at, in the order of ids, round and round. So the table stays below a small multiple of its live
 * rows, with no timer and no index that every write would have to keep.
 */
export class PostgresSweeper {
  readonly #connection: PostgresConnection;
  readonly #statements: Statements;
  readonly #clock: Clock | undefined;
  #after: string | undefined;
  #passed = 0;
  #isSweeping = false;

  constructor(connection: PostgresConnection, statements: Statements, clock: Clock | undefined) {
    this.#connection = connection;
    this.#statements = statements;
    this.#clock = clock;
  }

  /** Rows have been asked for. */
  passed(ids: readonly string[]): void {
    // Each process begins somewhere else.
    this.#after ??= ids[0];
    this.#passed += ids.length;
    const rows = Math.min(2 * this.#passed, MOST);
    if (rows < LEAST || this.#isSweeping) return;
    this.#passed -= rows / 2;
    this.#isSweeping = true;
    this.#sweep(rows).finally(() => {
      this.#isSweeping = false;
    });
  }

  async #sweep(rows: number): Promise<void> {
    // A clock that a test turns back by less than this finds what there was.
    const now = this.#clock && this.#clock() - HOUR;
    const statement = this.#statements.sweep(this.#after ?? "", rows, now);
    try {
      this.#after = await this.#connection.run(statement, () => false);
    } catch {
      // What is left lying is swept the next time; requests report whatever is wrong.
    }
  }
}
