/** Keeps a contender busy: with many calls in flight, or with one after the other. */
import { performance } from "node:perf_hooks";

/**
 * One way of counting, set up and asked the way its users do it.
 *
 * @typeParam C What it is given to reach its server: a driver's client, or a pool.
 * @typeParam A What it answers.
 */
export type Contender<C, A = unknown> = {
  readonly name: string;
  /**
   * Sets it up on a client of its own.
   *
   * @param callers How many there will be, each with one call in flight.
   */
  open(client: C, callers: number): Promise<Ask<A>>;
  /** Whether an answer lets the caller go. */
  admits(answer: A): boolean;
};

/** Asks for one unit of a key. Callers are numbered from 0. */
export type Ask<A> = (key: string, caller: number) => Promise<A>;

/** What of a contender is of interest once it has been set up. */
type Answering = Pick<Contender<never>, "name" | "admits">;

/** A contender that has been set up. */
export type Opened = {
  readonly contender: Answering;
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

/** Asks as fast as answers come. @throws Error where a call was refused */
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

function expectAdmitted(contender: Answering, answer: unknown): void {
  if (contender.admits(answer)) return;
  throw new Error(`${contender.name} refused: ${JSON.stringify(answer)}`);
}
