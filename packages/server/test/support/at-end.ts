import { onTestFinished } from "vitest";

/**
 * Closes something when the test ends, what was opened last before all others.
 *
 * By the running test, not by a hook beside this function: files that run in one process load this module
 * once, so that such a hook would only be that of the first file.
 */
export function atEnd(close: () => unknown): void {
  onTestFinished(async () => {
    await close();
  });
}
