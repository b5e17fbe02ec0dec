/** Plays processes in a worker, one setup at a time; of those that wait, only the latest. */
import type { ProcessesPlay, ProcessesSetup } from "../model/index.ts";

export class ProcessesPlayer {
  readonly #worker: Worker;
  #busy = false;
  #waiting: ProcessesSetup | undefined;

  /** @param receive Receives the play of the latest setup. */
  constructor(receive: (play: ProcessesPlay) => void) {
    // Written in one expression, by which the build finds the worker.
    this.#worker = new Worker(new URL("./processes-worker.ts", import.meta.url), {
      type: "module",
    });
    this.#worker.onmessage = ({ data }: MessageEvent<ProcessesPlay>) => {
      this.#busy = false;
      if (this.#waiting === undefined) receive(data);
      else this.play(this.#waiting);
    };
  }

  play(setup: ProcessesSetup): void {
    this.#waiting = this.#busy ? setup : undefined;
    if (this.#busy) return;
    this.#busy = true;
    this.#worker.postMessage(setup);
  }

  /** Ends the worker. */
  close(): void {
    this.#worker.terminate();
  }
}
