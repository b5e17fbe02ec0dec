import type { Warn } from "spillway/core";
import { afterDelay } from "spillway/support";

/** The time between two checks, in milliseconds. */
const PAUSE = 1000;

/** A resource that is checked. */
export type StoreCheck = {
  /** Its name in messages. */
  readonly name: string;
  /** Returns why it can't be used; undefined if it can. It never rejects. */
  readonly check: () => Promise<string | undefined>;
  readonly warn: Warn;
  /** Aborted to stop the checks. */
  readonly signal: AbortSignal;
};

/**
 * Checks a resource, and returns after the first check. A resource that can't be used is reported,
 * and checked again until it can; that is reported too.
 */
export async function watch(watched: StoreCheck, reported?: string): Promise<void> {
  const { name, check, warn, signal } = watched;
  const trouble = await check();
  if (signal.aborted) return;
  if (trouble === undefined) {
    if (reported !== undefined) warn(`${name} is ready`);
    return;
  }
  if (trouble !== reported) warn(`${name} can't be used; retrying until it can: ${trouble}`);
  afterDelay(PAUSE, () => void watch(watched, trouble));
}
