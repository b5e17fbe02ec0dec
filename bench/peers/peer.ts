/** A limit in the words that every library has: so many units in so many milliseconds. */
export type Pace = { readonly rate: number; readonly period: number };

/** One library, set up and asked the way its users do it. */
export type Peer = {
  readonly name: string;
  /** Sets it up with nothing known of any key. */
  open(pace: Pace): Asker;
};

/**
 * A library that has been set up.
 *
 * Each peer has a loop of its own, in its own module: one loop for all would call through one
 * site that V8 can't specialise, and nobody's program does that.
 */
export type Asker = {
  /** Asks for one unit for each key, one after the other; returns how many were admitted. */
  ask(keys: readonly string[]): number | Promise<number>;
  /** Ends its timers, so that they disturb nobody and hold no memory. */
  close(): void;
};
