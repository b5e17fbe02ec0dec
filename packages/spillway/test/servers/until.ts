import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two looks. */
const PAUSE = 25;
/** Far more than anything takes on a busy machine; a test that fails may take its time. */
const PATIENCE = 120_000;

/** What is waited for, as in "waited until …". */
export type Wait = { readonly what: string };

/** Looks again and again until it holds. A look that throws is one at which it doesn't hold yet. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what }: Wait,
): Promise<void> {
  const end = performance.now() + PATIENCE;
  let cause: unknown;
  do {
    try {
      if (await holds()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(PAUSE);
  } while (performance.now() < end);
  throw new Error(`Waited ${PATIENCE / 1000} s in vain until ${what}.`, { cause });
}
