import type { Warn } from "spillway/core";
import { afterDelay } from "spillway/support";

/** The time between two checks, in milliseconds. */
const PAUSE = 1000;

/** Something to be checked. */
export type Watched = {
  /** Its name in messages. */
  readonly name: string;
  /** Returns what keeps it from being used, if anything does. Never rejects. */
  readonly check: () => Promise<string | undefined>;
  readonly warn: Warn;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/**
 * Checks whether something can be used, and returns after the first check. Where it can't, that is
 * reported; it is checked again and again then until it can, which is reported as well.
 */
export async function watch(watched: Watched, reported?: string): Promise<void> {
  const { name, check, warn, signal } = watched;
  const trouble = await check();
  if (signal.aborted) return;
  if (trouble === undefined) {
    if (reported !== undefined) warn(`${name} is ready`);
    return;
  }
  if (trouble !== reported) warn(`${name} can't be used, and is tried again and again: ${trouble}`);
  afterDelay(PAUSE, () => void watch(watched, trouble));
}
