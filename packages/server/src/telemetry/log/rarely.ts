import { type Clock, MINUTE, systemClock, type Warn } from "spillway/core";

export type RarelyOptions = { readonly warn: Warn; readonly clock?: Clock | undefined };

export type Message = { readonly sort: string; readonly message: string };

/** Logs each sort of message at once, and then at most once a minute. */
export class Rarely {
  readonly #warn: Warn;
  readonly #clock: Clock;
  readonly #quietUntil = new Map<string, number>();

  constructor({ warn, clock = systemClock }: RarelyOptions) {
    this.#warn = warn;
    this.#clock = clock;
  }

  /** Returns whether it was logged. */
  say({ sort, message }: Message): boolean {
    const now = this.#clock();
    if (now < (this.#quietUntil.get(sort) ?? now)) return false;
    this.#quietUntil.set(sort, now + MINUTE);
    this.#warn(message);
    return true;
  }
}
