/** In which transaction a lease was taken: one that is open on the caller's connection, or one that is over. */
import type { Command, CommandOf, Verb } from "../../limits/core/index.ts";
import { hasTransaction, type SqliteDatabase } from "./database.ts";

/** A command on a lease. */
export type LeaseCommand = CommandOf<"release" | "renew">;

/** The store's own connection, which sees what was committed. */
type CommittedView = { isLockable(): boolean; holds(command: LeaseCommand): boolean };

/**
 * Whether a lease is to be changed outside of a connection's transaction, for its own is over. The connection may be
 * in another one by now, and SQLite has no names for them. But nobody else sees what a transaction has written before it
 * commits: a lease that is seen from outside was committed, and one that is seen on its connection alone was taken in the
 * transaction that is open. What is seen on neither side is gone, as after a rollback.
 *
 * Where nothing can be seen from outside, it is changed there as well: that waits until no transaction is in the way.
 */
export function isOver(
  command: LeaseCommand,
  database: SqliteDatabase,
  outside: CommittedView,
): boolean {
  if (!hasTransaction(database)) return true;
  try {
    // First what asks nothing of a transaction that may be somebody else's: the lease's own would keep the lock.
    return outside.isLockable() || outside.holds(command);
  } catch {
    // A transaction is open on the store's own connection, which may be the same one.
    return true;
  }
}

const LEASE_VERBS: ReadonlySet<Verb> = new Set(["release", "renew"]);

/** Whether a command is about a lease, which may be taken in one transaction and given back in another. */
export function isOnLease(command: Command): command is LeaseCommand {
  return LEASE_VERBS.has(command.verb);
}

/** The connections of callers on which a transaction may be open. */
export class JoinedConnections {
  readonly #joined = new Set<SqliteDatabase>();

  add(database: SqliteDatabase): void {
    this.#forget();
    this.#joined.add(database);
  }

  /** Whether one is open on any of them: nothing that is done meanwhile in this process can end it. */
  get isAnyOpen(): boolean {
    this.#forget();
    return this.#joined.size > 0;
  }

  /** Those that are closed by now, or could be, are not kept in memory. */
  #forget(): void {
    for (const each of this.#joined) if (!hasTransaction(each)) this.#joined.delete(each);
  }
}
