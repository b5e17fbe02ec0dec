/**
 * Finds out in which transaction a lease was taken: the open one of the caller's connection, or an
 * earlier one.
 */
import type { Command, CommandOf, Verb } from "../../limits/core/index.ts";
import { hasTransaction, type SqliteDatabase } from "./database.ts";

/** A command on a lease. */
export type LeaseCommand = CommandOf<"release" | "renew">;

/** The store's own connection, which sees only committed data. */
type CommittedView = { isLockable(): boolean; holds(command: LeaseCommand): boolean };

/**
 * Whether a lease must be changed outside the open transaction, because its own transaction ended.
 *
 * The connection may be in another transaction by now, and SQLite has no names for transactions.
 * But other connections see the writes of a transaction only after it commits. So a lease seen from
 * outside was committed. A lease seen only on its own connection was taken in the transaction that
 * is open. A lease seen on neither is gone, for example after a rollback.
 *
 * If nothing can be read from outside, the lease is changed outside as well. That command waits
 * until no other transaction blocks it.
 */
export function isOver(
  command: LeaseCommand,
  database: SqliteDatabase,
  outside: CommittedView,
): boolean {
  if (!hasTransaction(database)) return true;
  try {
    // The lock comes first, because it needs no read in a transaction that may be another one. The
    // lease's own transaction would hold the lock.
    return outside.isLockable() || outside.holds(command);
  } catch {
    // A transaction is open on the store's own connection, which may be this connection.
    return true;
  }
}

const LEASE_VERBS: ReadonlySet<Verb> = new Set(["release", "renew"]);

/**
 * Whether a command is about a lease. Leases can be taken in one transaction and released in
 * another.
 */
export function isOnLease(command: Command): command is LeaseCommand {
  return LEASE_VERBS.has(command.verb);
}

/** The callers' connections on which a transaction may be open. */
export class JoinedConnections {
  readonly #joined = new Set<SqliteDatabase>();

  add(database: SqliteDatabase): void {
    this.#forget();
    this.#joined.add(database);
  }

  /** Whether a transaction is open on any of them. It can't end while this process is busy. */
  get isAnyOpen(): boolean {
    this.#forget();
    return this.#joined.size > 0;
  }

  /** Forgets connections without an open transaction, so that they can be garbage collected. */
  #forget(): void {
    for (const each of this.#joined) if (!hasTransaction(each)) this.#joined.delete(each);
  }
}
