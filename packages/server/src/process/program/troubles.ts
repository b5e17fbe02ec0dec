/** Why limits in use differ from their source. Each text is reported once while it lasts. */
export class Troubles {
  readonly #onProblem: (problem: string) => void;
  readonly #parts = new Map<TroubleCause, string>();
  #isOpen = true;

  constructor(onProblem: (problem: string) => void) {
    this.#onProblem = onProblem;
  }

  /** All of it; undefined if there is none. */
  get now(): string | undefined {
    return this.#parts.size === 0 ? undefined : [...this.#parts.values()].join("\n");
  }

  /** Notes a trouble of one cause, or its end. */
  set(cause: TroubleCause, trouble: string | undefined): void {
    const before = this.#parts.get(cause);
    if (trouble === before) return;
    if (trouble === undefined) this.#parts.delete(cause);
    else this.#parts.set(cause, trouble);
    if (trouble !== undefined && this.#isOpen) this.#onProblem(trouble);
  }

  /** Reports nothing any more. */
  close(): void {
    this.#isOpen = false;
  }
}

/**
 * The content of the rules; that of the service's files; the way to the service; or limiters that
 * refuse the limits.
 */
export type TroubleCause = "rules" | "limiters" | "service" | "connection";
