/** Plays setups beside the page, which stays responsive. */
import { buffersOf, columnsOf, leastNumber, playAll, type Setup } from "../model/index.ts";
import type { PlayAnswer } from "./messages.ts";
import { servePage } from "./serve-page.ts";

servePage<Setup, PlayAnswer>((setup, send) => {
  const start = performance.now();
  const plays = playAll(setup).map(columnsOf);
  const took = performance.now() - start;
  send({ plays, took }, plays.flatMap(buffersOf));
  send({ least: setup.limits.map((limit) => leastNumber(setup, limit)) });
});
