/** The model in a worker. */
export type { PlayAnswer } from "./messages.ts";
export type { Player, Receiver } from "./player.ts";
export { limitsPlayer, processesPlayer, sheddingPlayer } from "./players.ts";
