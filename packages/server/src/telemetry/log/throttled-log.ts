import { type Clock, MINUTE, systemClock, type Warn } from "spillway/core";

export type ThrottledLogOptions = { readonly warn: Warn; readonly clock?: Clock | undefined };

export type RareMessage = { readonly sort: string; readonly message: string };

/** Logs the first message of each sort at once, then at most one a minute. */
export class ThrottledLog {
  readonly #warn: Warn;
  readonly #clock: Clock;
  readonly #quietUntil = new Map<string, number>();

  constructor({ warn, clock = systemClock }: ThrottledLogOptions) {
    this.#warn = warn;
    this.#clock = clock;
  }

  /** Logs a message, unless it is too early. Returns whether it was logged. */
  say({ sort, message }: RareMessage): boolean {
    const now = this.#clock();
    if (now < (this.#quietUntil.get(sort) ?? now)) return false;
    this.#quietUntil.set(sort, now + MINUTE);
    this.#warn(message);
    return true;
  }
}
