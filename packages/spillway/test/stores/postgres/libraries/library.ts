import type { PostgresClient } from "../../../../src/stores/postgres/clients/connect.ts";

/** Does something in a transaction, or under a savepoint of one. */
export type Work = (transaction: object) => Promise<void>;

/** Does something in a transaction; `nested` does more under a savepoint, to which it goes back. */
export type WorkWithin = (
  transaction: object,
  nested: (work: Work) => Promise<void>,
) => Promise<void>;

/** A library whose transactions can be joined, with its real database. */
export type Library = AsyncDisposable & {
  /** What it begins transactions with, and what is none. */
  readonly root: object;
  /** The driver's pool under it, or one to the same database. */
  readonly database: PostgresClient;
  /** Commits where the work resolves; rolls back, and rejects, where it rejects. */
  transact(work: WorkWithin): Promise<void>;
};

export type Open = (url: string) => Promise<Library>;

/** How savepoints are made where a library has nothing for it. */
export function bySavepoint(query: (text: string) => Promise<unknown>) {
  return async (work: () => Promise<void>): Promise<void> => {
    await query("savepoint here");
    try {
      await work();
    } catch (error) {
      await query("rollback to savepoint here");
      throw error;
    }
  };
}
