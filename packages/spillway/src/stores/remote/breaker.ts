import type { Clock } from "../../limits/core/index.ts";

/** When a breaker opens, and for how long. */
export type BreakerSettings = {
  /** How many failures in a row open it. */
  readonly failures: number;
  /** Milliseconds between two probes while it is open. */
  readonly pause: number;
};

/**
 * Stops asking what does not answer, so that an outage costs its deadline a few times and not on
 * every call. While it is open one call every `pause` is let through; the first that succeeds closes
 * it.
 *
 * What is under way together fails together, for one slow command holds up all behind it. So a failure
 * counts where its request was sent after the failure that counted before.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  readonly #clock: Clock;
  #failures = 0;
  /** How many failures have counted so far. */
  #round = 0;
  #opened: number | undefined;
  /** The round in which it opened. */
  #openedAt = 0;

  /** @param clock In milliseconds; only its differences matter. */
  constructor(settings: BreakerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** How many calls may go now: all, one as a probe, or none. */
  permits(): "all" | "probe" | "none" {
    if (this.#opened === undefined) return "all";
    return this.pauseLeft() > 0 ? "none" : "probe";
  }

  /** Milliseconds until the next probe; 0 where calls may go. */
  pauseLeft(): number {
    if (this.#opened === undefined) return 0;
    const gone = this.#clock() - this.#opened;
    return gone < 0 ? 0 : Math.max(0, this.#settings.pause - gone);
  }

  /** A probe has set out: no other until the pause is over again. */
  probing(): void {
    this.#opened = this.#clock();
  }

  /** Returns whether it was open. */
  succeeded(): boolean {
    const wasOpen = this.#opened !== undefined;
    this.#failures = 0;
    this.#opened = undefined;
    return wasOpen;
  }

  /** What a request that is sent now belongs to. */
  get round(): number {
    return this.#round;
  }

  /**
   * A request failed. Returns whether that has opened it.
   *
   * @param round As it was when the request was sent. Default: nothing else is under way.
   */
  failed(round: number = this.#round): boolean {
    if (round < this.#round) return false;
    this.#round++;
    this.#failures++;
    if (this.#opened !== undefined || this.#failures < this.#settings.failures) return false;
    this.#opened = this.#clock();
    this.#openedAt = this.#round;
    return true;
  }

  /**
   * A request was answered after its deadline. Where it was sent before the breaker opened, what held it up
   * is over: a probe may go now. An answer to a later one only says that the node is slow.
   */
  answeredLate(round: number): void {
    if (this.#opened !== undefined && round < this.#openedAt)
      this.#opened = Number.NEGATIVE_INFINITY;
  }
}
