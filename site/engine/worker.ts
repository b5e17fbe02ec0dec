/** Plays setups beside the page, which stays responsive. */
import {
  buffersOf,
  columnsOf,
  instantsOf,
  type LeastNumber,
  leastNumberTrials,
  playAll,
  type Setup,
} from "../model/index.ts";
import type { PlayAnswer } from "./messages.ts";
import { servePage } from "./serve-page.ts";

servePage<Setup, PlayAnswer>(function* (setup) {
  const start = performance.now();
  const plays = playAll(setup).map(columnsOf);
  const instants = instantsOf(plays);
  const took = performance.now() - start;
  const transfer = [...plays.flatMap(buffersOf), instants.buffer];
  yield { answer: { plays, instants, took }, transfer };
  const least: (LeastNumber | undefined)[] = [];
  for (const limit of setup.limits) least.push(yield* leastNumberTrials(setup, limit));
  yield { answer: { least } };
});
