/** An audit log in a store, which all services of that store share. */
import type { Clock } from "spillway";
import {
  type AuditDraft,
  type AuditEntry,
  AuditError,
  type AuditLog,
} from "../../../service/index.ts";
import type { EntryStore } from "../../stores/index.ts";
import { entryIn } from "./entry-text.ts";

/** How often an entry is tried that others come before. Each time, one of theirs was kept. */
const MOST_TRIES = 100;

export type StoredAuditOptions = {
  readonly clock: Clock;
  /** The name of this service in its entries. */
  readonly service: string;
};

/** Creates an audit log of a store's entries. */
export function storedAudit(store: EntryStore, options: StoredAuditOptions): AuditLog {
  const audit = new StoredAudit(store, options);
  return {
    where: store.where,
    service: options.service,
    append: (draft) => audit.append(draft),
    appendAfter: (draft, version) => audit.appendAfter(draft, version),
    recent: (count) => audit.recent(count),
    close: store.close,
  };
}

class StoredAudit {
  readonly #store: EntryStore;
  readonly #options: StoredAuditOptions;

  constructor(store: EntryStore, options: StoredAuditOptions) {
    this.#store = store;
    this.#options = options;
  }

  async append(draft: AuditDraft): Promise<AuditEntry> {
    for (let n = 0; n < MOST_TRIES; n++) {
      const [newest] = await this.recent(1);
      const entry = await this.appendAfter(draft, newest?.version ?? 0);
      if (entry !== undefined) return entry;
    }
    throw this.#failed("written", new Error("others write too often; try again"));
  }

  async appendAfter(draft: AuditDraft, version: number): Promise<AuditEntry | undefined> {
    const entry = await this.#put(draft, version + 1);
    if (entry !== undefined || version > 0) return entry;
    const last = await this.#calling("written", async () => this.#store.lastOfEmptied?.());
    return last ? this.#put(draft, last + 1) : undefined;
  }

  async #put(draft: AuditDraft, version: number): Promise<AuditEntry | undefined> {
    const { clock, service } = this.#options;
    const at = new Date(clock()).toISOString();
    const entry: AuditEntry = { version, at, service, ...draft };
    const text = JSON.stringify(entry);
    const isKept = await this.#calling("written", () => this.#store.put({ version, text }));
    return isKept ? entry : undefined;
  }

  async recent(count: number): Promise<readonly AuditEntry[]> {
    const texts = await this.#calling("read", () => this.#store.newest(count));
    return texts.toReversed().flatMap(entryIn);
  }

  async #calling<T>(done: Done, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw this.#failed(done, error as Error);
    }
  }

  #failed(done: Done, error: Error): AuditError {
    const { where, explain } = this.#store;
    const remedy = "an --audit-file does not need the store";
    return new AuditError(`The audit log ${where} can't be ${done}: ${explain(error)}; ${remedy}`);
  }
}

type Done = "read" | "written";
