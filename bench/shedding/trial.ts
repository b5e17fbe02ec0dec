/** Puts one contender's server through one situation, and measures what a server has room for. */
import { type Generator, startServer } from "./child.ts";
import type { ClientKind } from "./clients/index.ts";
import { DEADLINE } from "./contenders/contender.ts";
import { pacesOf, phasesOf, type Situation } from "./situation.ts";
import type { Observation } from "./tally.ts";
import { DECK } from "./works/deck.ts";
import type { WorkName } from "./works/index.ts";

/** A server that refuses nothing. */
export type Unguarded = {
  readonly contender: string;
  readonly clients: ClientKind;
  readonly work: WorkName;
};

/** Clients who wait for their answers: more than there is anything to do for at once. */
const SENDERS = 20;

/** Answers a second that it gives to clients who wait for them. */
export async function roomOf(server: Unguarded, generator: Generator): Promise<number> {
  await using started = await startServer(server);
  const { port } = started;
  const { clients } = server;
  const amount = { senders: SENDERS, settle: DECK, measured: DECK };
  return await generator.closed({ port, clients, ...amount });
}

/** Who is tried, and with how much room. */
export type Trial = {
  readonly contender: string;
  readonly situation: Situation;
  /** Requests a second. */
  readonly room: number;
  readonly seed: number;
};

/** What was seen. The generator is there before the server is, so that nothing comes between. */
export async function trial(
  { contender, situation, room, seed }: Trial,
  generator: Generator,
): Promise<Observation> {
  const { clients, work, warmUp, isOpened = false } = situation;
  const phases = phasesOf(situation, room);
  const opened = Math.ceil((Math.max(...phases.map(({ rate }) => rate)) * DEADLINE) / 1000);
  const paces = pacesOf(situation);
  await using server = await startServer({ contender, clients, work, paces });
  return await generator.open({
    port: server.port,
    clients,
    phases,
    seed,
    opened: isOpened ? opened : 0,
    warmUp: warmUp * 1000,
    deadline: DEADLINE,
  });
}
