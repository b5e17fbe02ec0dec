/** Plays processes beside the page. */
import { type ProcessesPlay, type ProcessesSetup, playProcesses } from "../model/index.ts";

/** The part of a worker's scope that is needed here. */
type Scope = {
  postMessage(play: ProcessesPlay): void;
  onmessage: ((event: { readonly data: ProcessesSetup }) => void) | null;
};

const scope = self as unknown as Scope;

scope.onmessage = ({ data }) => scope.postMessage(playProcesses(data));
