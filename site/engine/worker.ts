/** Plays setups beside the page, which stays responsive. */
import { buffersOf, columnsOf, leastNumber, playAll } from "../model/index.ts";
import type { PlayAnswer, PlayRequest } from "./messages.ts";

/** The part of a worker's scope that is needed here. */
type Scope = {
  postMessage(message: PlayAnswer, transfer: Transferable[]): void;
  onmessage: ((event: { readonly data: PlayRequest }) => void) | null;
};

const scope = self as unknown as Scope;

scope.onmessage = ({ data: { number, setup } }) => {
  try {
    const start = performance.now();
    const plays = playAll(setup).map(columnsOf);
    const took = performance.now() - start;
    scope.postMessage({ number, plays, took }, plays.flatMap(buffersOf));
    const least = setup.limits.map((limit) => leastNumber(setup, limit));
    scope.postMessage({ number, least }, []);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    scope.postMessage({ number, problem }, []);
  }
};
