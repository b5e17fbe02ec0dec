import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two looks. */
const PAUSE = 25;
/** Far more than anything takes on a busy machine; a test that fails may take its time. */
const PATIENCE = 45_000;

/** What is waited for, as in "waited until …", and for how many milliseconds at most. */
export type Wait = { readonly what: string; readonly patience?: number };

/** Looks again and again until it holds. A look that throws is one at which it doesn't hold yet. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what, patience = PATIENCE }: Wait,
): Promise<void> {
  const end = performance.now() + patience;
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
  throw new Error(`Waited ${patience / 1000} s in vain until ${what}.`, { cause });
}
