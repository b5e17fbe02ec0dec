/** Simulates overloads in a worker, one at a time; of those that wait, only the latest. */
import type { SheddingRun, SheddingSetup } from "../model/index.ts";

export class SheddingPlayer {
  readonly #worker: Worker;
  #busy = false;
  #waiting: SheddingSetup | undefined;

  /** @param receive Receives the runs of the latest setup. */
  constructor(receive: (runs: readonly SheddingRun[]) => void) {
    this.#worker = new Worker(new URL("./shedding-worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<readonly SheddingRun[]>) => {
      this.#busy = false;
      if (this.#waiting === undefined) receive(data);
      else this.play(this.#waiting);
    };
  }

  play(setup: SheddingSetup): void {
    this.#waiting = this.#busy ? setup : undefined;
    if (this.#busy) return;
    this.#busy = true;
    this.#worker.postMessage({ ...setup });
  }

  /** Ends the worker. */
  close(): void {
    this.#worker.terminate();
  }
}
