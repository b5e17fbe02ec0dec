/** Signed texts that are valid for a limited time. */
import type { Clock } from "../../limits/core/index.ts";
import type { InContext, KeyRing } from "./key-ring.ts";

/** How long stamps are valid, and by which clock. In milliseconds. */
export type StampTimes = {
  readonly maxAge: number;
  /** By how much the clocks of two servers may differ. */
  readonly skew: number;
  readonly clock: Clock;
};

/** Signs texts together with the current second, and verifies that they are not too old. */
export class Stamps {
  readonly #ring: KeyRing;
  readonly #times: StampTimes;

  constructor(ring: KeyRing, times: StampTimes) {
    this.#ring = ring;
    this.#times = times;
  }

  stamp({ text, context }: InContext): Promise<string> {
    const issued = Math.floor(this.#times.clock() / 1000).toString(36);
    return this.#ring.sign({ text: `${issued}.${text}`, context });
  }

  /**
   * Returns the text of a token; undefined if the token is invalid.
   *
   * A token is invalid if it was not signed in its context, is too old, or is from the future.
   */
  async read(token: string, contextOf: (text: string) => string): Promise<string | undefined> {
    const signed = await this.#ring.verify(token, (whole) => contextOf(split(whole).text));
    if (signed === undefined) return undefined;
    const { issued, text } = split(signed);
    const { maxAge, skew, clock } = this.#times;
    const age = clock() - Number.parseInt(issued, 36) * 1000;
    return age >= -skew && age <= maxAge + skew ? text : undefined;
  }
}

function split(whole: string): { readonly issued: string; readonly text: string } {
  const dot = whole.indexOf(".");
  return { issued: whole.slice(0, dot), text: whole.slice(dot + 1) };
}
