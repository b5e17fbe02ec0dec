import { dealer, deckOf, exponential, lognormal, MIXED } from "./deck.ts";
import { blocked, garbage } from "./disturbed.ts";
import { type Pace, pool } from "./pool.ts";
import { spin, type Work } from "./work.ts";

type Make = (paces: readonly Pace[]) => Work;

/** Each by its name; made once for a server. */
const WORKS = {
  /** 5 ms each. */
  fixed: () => () => spin(5),
  /** 50 ms for a tenth, 1 ms for the rest. */
  mixed: () => dealt(MIXED),
  /** Exponentially distributed, 5 ms on average. */
  exponential: () => dealt(deckOf(exponential, { mean: 5 })),
  /** Lognormally distributed with a sigma of 1.5, 5 ms on average. */
  lognormal: () => dealt(deckOf(lognormal, { mean: 5 })),
  /** 5 ms each, and something else that blocks the event loop for 300 ms every 2.5 s. */
  blocked,
  /** 5 ms each of making objects. */
  garbage,
  /** Hardly any here; 20 ms of one of ten workers elsewhere. */
  downstream: pool,
} satisfies Record<string, Make>;

export type WorkName = keyof typeof WORKS;

/** @param paces For `downstream`: how fast that is, when. */
export function makeWork(name: WorkName, paces: readonly Pace[] = []): Work {
  return WORKS[name](paces);
}

function dealt(deck: readonly number[]): Work {
  const deal = dealer(deck);
  return () => spin(deal());
}
