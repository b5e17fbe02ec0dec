/** The audit log: what administrators changed, or tried to change. */

/** An entry before it has a number and a time. Plain data, which is JSON. */
export type AuditDraft = {
  /** The caller: the right that the caller has shown and, if given, a name. Never a token. */
  readonly by: string;
  /** The operation, such as `block`. */
  readonly what: string;
  /** The budgets, such as `shop/user=ann`, or the limits of a mode. */
  readonly on: readonly string[];
  /**
   * `accepted`: checked, and carried out after the entry was written. `refused`: a try that changed
   * nothing. `failed`: it was accepted, and the store gave no answer, so it may have taken effect.
   */
  readonly outcome: "accepted" | "refused" | "failed";
  /** The state before the change, and the one it leads to; absent for a refused try. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly reason?: string | undefined;
  /** When the change ends by itself, in ISO 8601; absent if it does not. */
  readonly until?: string | undefined;
  /** The error code of a refused or failed try, and what was found. */
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
};

export type AuditEntry = AuditDraft & {
  /** Its number: each entry has a larger one than those before. It serves as the version. */
  readonly version: number;
  /** When it was written, in ISO 8601. */
  readonly at: string;
  /** The service that wrote it, such as `host-1/4711`; absent in the log of one service alone. */
  readonly service?: string | undefined;
};

/** Keeps entries in their order. It is only ever appended to. */
export type AuditLog = {
  /** The place of the entries, for people. */
  readonly where: string;
  /** The name of this service in its entries; undefined in the log of one service alone. */
  readonly service?: string | undefined;
  /**
   * Appends an entry, and resolves once it is kept.
   *
   * @throws AuditError if it can't be written.
   */
  readonly append: (draft: AuditDraft) => Promise<AuditEntry>;
  /**
   * Appends an entry if that of a version is still the newest; 0 is that of an empty log. Otherwise
   * returns undefined, and nothing is written. Indivisible.
   *
   * @throws AuditError if it can't be written.
   */
  readonly appendAfter: (draft: AuditDraft, version: number) => Promise<AuditEntry | undefined>;
  /**
   * Returns the newest entries, the oldest of them first.
   *
   * @param count At most `MOST_ENTRIES`.
   * @throws AuditError if they can't be read.
   */
  readonly recent: (count: number) => Promise<readonly AuditEntry[]>;
  readonly close: () => Promise<void>;
};

/** The maximum number of entries that are read, and kept in memory. */
export const MOST_ENTRIES = 1000;

/**
 * Thrown if an entry can't be written, or entries can't be read. The message has the place, the
 * cause and a way out.
 */
export class AuditError extends Error {
  override readonly name = "AuditError";
}
