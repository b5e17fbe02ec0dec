/** The players of the three playgrounds. Each worker is one expression, by which the build finds it. */
import type {
  ProcessesPlay,
  ProcessesSetup,
  Setup,
  SheddingRun,
  SheddingSetup,
} from "../model/index.ts";
import type { PlayAnswer } from "./messages.ts";
import { Player, type Receiver } from "./player.ts";

export function limitsPlayer(receiver: Receiver<PlayAnswer>): Player<Setup, PlayAnswer> {
  return new Player(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
    receiver,
  );
}

export function processesPlayer(
  receiver: Receiver<ProcessesPlay>,
): Player<ProcessesSetup, ProcessesPlay> {
  return new Player(
    () => new Worker(new URL("./processes-worker.ts", import.meta.url), { type: "module" }),
    receiver,
  );
}

export function sheddingPlayer(
  receiver: Receiver<readonly SheddingRun[]>,
): Player<SheddingSetup, readonly SheddingRun[]> {
  return new Player(
    () => new Worker(new URL("./shedding-worker.ts", import.meta.url), { type: "module" }),
    receiver,
  );
}
