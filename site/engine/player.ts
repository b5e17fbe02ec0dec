/** Plays setups in a worker, one at a time; of those that wait, only the latest. */
import type { Setup } from "../model/index.ts";
import type { PlayAnswer, PlayRequest } from "./messages.ts";

export class Player {
  readonly #worker: Worker;
  #number = 0;
  #busy = false;
  #waiting: Setup | undefined;

  /** @param receive Receives the answers to the latest setup. */
  constructor(receive: (answer: PlayAnswer) => void) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<PlayAnswer>) => {
      if (data.number === this.#number) receive(data);
      if ("plays" in data) return;
      this.#busy = false;
      if (this.#waiting !== undefined) this.play(this.#waiting);
    };
  }

  play(setup: Setup): void {
    if (this.#busy) {
      this.#waiting = setup;
      return;
    }
    this.#waiting = undefined;
    this.#busy = true;
    const request: PlayRequest = { number: ++this.#number, setup };
    this.#worker.postMessage(request);
  }

  /** Ends the worker. */
  close(): void {
    this.#worker.terminate();
  }
}
