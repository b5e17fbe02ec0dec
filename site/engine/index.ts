/** The model in a worker. */
export type { PlayAnswer } from "./messages.ts";
export { Player } from "./player.ts";
export { ProcessesPlayer } from "./processes-player.ts";
export { SheddingPlayer } from "./shedding-player.ts";
