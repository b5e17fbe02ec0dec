/** When a queue is no mere chance; milliseconds. */
export type StandingSettings = {
  /** How long the oldest may wait. */
  readonly target: number;
  /** For how long it has to have waited for longer than that, without a break. */
  readonly interval: number;
};

/** An instant, and since when the oldest has waited then, if anything waits. */
export type QueueAge = { readonly now: number; readonly oldest: number | undefined };

/** Whether a queue stands: its oldest has waited for more than `target`, and for `interval` so. */
export class StandingQueue {
  readonly #settings: StandingSettings;
  #since: number | undefined;
  #isLong = false;

  constructor(settings: StandingSettings) {
    this.#settings = settings;
  }

  /** Whether the oldest waited for longer than it should when this was last told. */
  get isStanding(): boolean {
    return this.#since !== undefined;
  }

  /** Whether that had been so for the whole interval. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** Learns how old the queue is. */
  learn({ now, oldest = now }: QueueAge): void {
    const { target, interval } = this.#settings;
    if (now - oldest <= target) this.#since = undefined;
    else this.#since ??= now;
    this.#isLong = this.#since !== undefined && now - this.#since >= interval;
  }
}
