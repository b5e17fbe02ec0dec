/**
 * Counts recent events; older ones decay exponentially. `now` and `span` are in the same unit, such
 * as milliseconds or requests.
 */
export class RecentCount {
  readonly #span: number;
  #count = 0;
  #at: number;

  constructor(now: number, span: number) {
    this.#span = span;
    this.#at = now;
  }

  add(now: number, count = 1): void {
    this.#forget(now);
    this.#count += count;
  }

  /** Returns the number of recent events. An event of age `span` counts 1/e. */
  count(now: number): number {
    this.#forget(now);
    return this.#count;
  }

  #forget(now: number): void {
    this.#count *= Math.exp(-Math.max(0, now - this.#at) / this.#span);
    this.#at = Math.max(this.#at, now);
  }
}
