import type { Clock } from "spillway";
import { type AuditDraft, type AuditEntry, type AuditLog, MOST_ENTRIES } from "./audit.ts";

type RecentAuditOptions = {
  readonly clock: Clock;
  /** Entries of earlier processes, the oldest first. Default: none. */
  readonly earlier?: readonly AuditEntry[];
};

/** The newest entries, and the number of the next one. */
export class RecentAudit {
  readonly #clock: Clock;
  #entries: AuditEntry[];
  #version: number;

  constructor({ clock, earlier = [] }: RecentAuditOptions) {
    this.#clock = clock;
    this.#entries = earlier.slice(-MOST_ENTRIES);
    this.#version = this.#entries.at(-1)?.version ?? 0;
  }

  get entries(): readonly AuditEntry[] {
    return this.#entries;
  }

  /** Returns the entry that a draft becomes. It counts once it is added. */
  next(draft: AuditDraft): AuditEntry {
    const at = new Date(this.#clock()).toISOString();
    return { version: this.#version + 1, at, ...draft };
  }

  add(entry: AuditEntry): void {
    this.#version = entry.version;
    this.#entries.push(entry);
    if (this.#entries.length > MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES);
  }
}

/**
 * Returns the calls of a log that only this process writes.
 *
 * @param keep Keeps an entry before it counts. @throws AuditError
 */
export function recentLog(
  recent: RecentAudit,
  keep: (entry: AuditEntry) => Promise<void>,
): Pick<AuditLog, "append" | "appendAfter" | "recent"> {
  const append = async (draft: AuditDraft): Promise<AuditEntry> => {
    const entry = recent.next(draft);
    await keep(entry);
    recent.add(entry);
    return entry;
  };
  return {
    append,
    appendAfter: async (draft, version) =>
      version === (recent.entries.at(-1)?.version ?? 0) ? append(draft) : undefined,
    recent: async (count) => recent.entries.slice(-count),
  };
}

/** Creates an audit log in the memory of this process. Its entries end with the process. */
export function memoryAudit(clock: Clock): AuditLog {
  const recent = new RecentAudit({ clock });
  return {
    where: "this process's memory",
    ...recentLog(recent, async () => {}),
    close: async () => {},
  };
}
