import { afterDelay, type Warn } from "spillway/core";

/** How long after one look comes the next, in milliseconds. */
const PAUSE = 1000;

/** What is to be looked at. */
export type Watched = {
  /** What messages call it. */
  readonly name: string;
  /** Tells what keeps it from being used, if anything does. Never rejects. */
  readonly look: () => Promise<string | undefined>;
  readonly warn: Warn;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/**
 * Looks whether something can be used, and comes back after the first look. Where it can't, that is
 * told; it is looked at again and again then until it can, which is told as well.
 */
export async function watch(watched: Watched, told?: string): Promise<void> {
  const { name, look, warn, signal } = watched;
  const trouble = await look();
  if (signal.aborted) return;
  if (trouble === undefined) {
    if (told !== undefined) warn(`${name} is ready`);
    return;
  }
  if (trouble !== told) warn(`${name} can't be used, and is tried again and again: ${trouble}`);
  afterDelay(PAUSE, () => void watch(watched, trouble));
}
