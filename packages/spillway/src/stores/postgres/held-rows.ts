import { elapsed } from "../../core/index.ts";

/** Rows that are remembered; the one that was found first goes first. */
const MOST = 10_000;

/**
 * Rows that somebody's transaction has held for longer than anybody waited. Who asks for one is told so
 * at once, but for one in a while, who looks whether it is free: else all who ask would wait for it, on
 * every connection that there is, and keep all others from being served.
 */
export class HeldRows {
  readonly #pause: number;
  /** Until when each is not asked for. */
  readonly #until = new Map<string, number>();

  /** @param pause Milliseconds between two looks. */
  constructor(pause: number) {
    this.#pause = pause;
  }

  /** Whether nobody may ask for any of these now. Who may, looks for all who come after. */
  has(ids: readonly string[]): boolean {
    if (this.#until.size === 0) return false;
    const now = elapsed();
    if (ids.some((id) => (this.#until.get(id) ?? 0) > now)) return true;
    for (const id of ids) if (this.#until.has(id)) this.#until.set(id, now + this.#pause);
    return false;
  }

  /** Somebody has waited for these in vain. */
  found(ids: readonly string[]): void {
    for (const id of ids) {
      this.#until.delete(id);
      this.#until.set(id, elapsed() + this.#pause);
    }
    for (const [first] of this.#until) {
      if (this.#until.size <= MOST) return;
      this.#until.delete(first);
    }
  }

  /** Somebody has got these. */
  free(ids: readonly string[]): void {
    if (this.#until.size > 0) for (const id of ids) this.#until.delete(id);
  }
}
