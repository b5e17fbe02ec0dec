import type {
  RegisterAnswer,
  RegisterCommand,
  RegisterCommandOf,
} from "../../limits/core/index.ts";

/** An entry, and the instant from which on it may be removed. */
type KeptEntry = RegisterAnswer<RegisterCommandOf<"list">>[number] & { readonly until: number };

/** Entries that each writing looks at, to remove those that are over. */
const LOOKED_AT = 10;

/**
 * The register of a memory store: entries in the order of their ids.
 *
 * Beyond the maximum number, the entry that was written first is dropped.
 */
export class MemoryRegister {
  readonly #most: number;
  /** In the order of writing. */
  readonly #entries = new Map<string, KeptEntry>();
  /** Sorted. */
  readonly #ids: string[] = [];
  /** The index of the id that the next writing looks at. */
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  execute(command: RegisterCommand, now: number): RegisterAnswer<RegisterCommand> {
    switch (command.verb) {
      case "put":
        return this.#put(command, now);
      case "remove":
        if (this.#entries.get(command.id)?.revision === command.revision) this.#drop(command.id);
        return undefined;
      case "list":
        return this.#list(command);
    }
  }

  #put({ entry, ms }: RegisterCommandOf<"put">, now: number): undefined {
    const { id } = entry;
    const known = this.#entries.get(id);
    const until = Math.max(now + ms, known?.until ?? 0);
    if (known === undefined) this.#ids.splice(this.#indexAfter(id), 0, id);
    this.#entries.delete(id);
    this.#entries.set(id, { ...entry, since: now, until });
    this.#sweep(now);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > this.#most) this.#drop(oldest);
  }

  #list({ after, before, most }: RegisterCommandOf<"list">): RegisterAnswer<RegisterCommand> {
    const start = this.#indexAfter(after);
    const ids = this.#ids.slice(start, start + most).filter((id) => id < before);
    return ids.map((id) => this.#entries.get(id) as KeptEntry);
  }

  /** Removes entries that are over, in turn through all of them. */
  #sweep(now: number): void {
    const most = Math.min(LOOKED_AT, this.#ids.length);
    for (let looked = 0; looked < most; looked++) {
      if (this.#next >= this.#ids.length) this.#next = 0;
      const id = this.#ids[this.#next] as string;
      if ((this.#entries.get(id)?.until ?? now) > now) this.#next++;
      else this.#drop(id);
    }
  }

  #drop(id: string): void {
    this.#entries.delete(id);
    this.#ids.splice(this.#indexAfter(id) - 1, 1);
  }

  /** Returns the index of the first id above a text. */
  #indexAfter(text: string): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] as string) > text) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
