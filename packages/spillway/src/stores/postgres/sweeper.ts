import { type Clock, HOUR } from "../../limits/core/index.ts";
import type { PostgresConnection } from "./clients/index.ts";
import type { Statements } from "./statements.ts";

/**
 * The fewest and the maximum number of rows of a sweep: enough to be worth a statement, and few
 * enough to end soon.
 */
const LEAST = 200;
const MOST = 1000;

/**
 * Removes rows that equal fresh ones, as a part of normal work.
 *
 * For each requested row it reads two rows, in the order of ids, in turn through the whole table.
 * So the table stays below a small multiple of its live rows. It needs no timer, and no index that
 * every write would have to update.
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

  /** Counts requested rows. Starts a sweep when there are enough, unless one is running. */
  passed(ids: readonly string[]): void {
    // Each process starts at another id.
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
    // Sweeps an hour late. So a test that turns its clock back by less than that still finds its
    // rows.
    const now = this.#clock && this.#clock() - HOUR;
    const statement = this.#statements.sweep(this.#after ?? "", rows, now);
    try {
      this.#after = await this.#connection.run(statement, () => false);
    } catch {
      // A later sweep removes these rows. Requests report a failure of the database.
    }
  }
}
