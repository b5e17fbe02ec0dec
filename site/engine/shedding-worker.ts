/** Simulates overloads beside the page. */
import { playShedding, type SheddingRun, type SheddingSetup } from "../model/index.ts";

/** The part of a worker's scope that is needed here. */
type Scope = {
  postMessage(runs: readonly SheddingRun[]): void;
  onmessage: ((event: { readonly data: SheddingSetup }) => void) | null;
};

const scope = self as unknown as Scope;

scope.onmessage = async ({ data }) => scope.postMessage(await playShedding(data));
