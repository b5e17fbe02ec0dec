/** Keeps a contender busy: with many asks in flight, or with one after the other. */
import { performance } from "node:perf_hooks";
import type { Ask, Contender } from "./contender.ts";

/** A contender that has been set up. */
export type Opened = {
  readonly contender: Contender;
  readonly ask: Ask<unknown>;
  /** The key to ask for next, for ever. */
  readonly nextKey: () => string;
};

/** How many asks there are, and how many callers, each of whom waits for its answer. */
export type Load = { readonly asks: number; readonly callers: number };

/** Keys in turn, again and again. */
export function inTurn(keys: readonly string[]): () => string {
  let next = 0;
  return () => keys[next++ % keys.length] as string;
}

/** Asks as fast as answers come. @throws Error where an ask was refused */
export async function askAll(
  { contender, ask, nextKey }: Opened,
  { asks, callers }: Load,
): Promise<void> {
  let left = asks;
  const call = async (caller: number) => {
    while (left > 0) {
      left--;
      expectAdmitted(contender, await ask(nextKey(), caller));
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  } finally {
    // Where one caller fails, the others stop as well.
    left = 0;
  }
}

/** Asks one after the other; the microseconds that each took. @throws Error where one was refused */
export async function timeEach(
  { contender, ask, nextKey }: Opened,
  asks: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let left = asks; left > 0; left--) {
    const key = nextKey();
    const start = performance.now();
    const answer = await ask(key, 0);
    times.push((performance.now() - start) * 1000);
    expectAdmitted(contender, answer);
  }
  return times;
}

function expectAdmitted(contender: Contender, answer: unknown): void {
  if (contender.admits(answer)) return;
  throw new Error(`${contender.name} refused: ${JSON.stringify(answer)}`);
}
