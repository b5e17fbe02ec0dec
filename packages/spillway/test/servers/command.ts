import { connect } from "node:net";
import { LOOPBACK } from "./ports.ts";
import { decode, encode, type Reply, ReplyError } from "./reply.ts";

/** Milliseconds without a byte after which a server is taken for dead. */
const SILENCE = 15_000;

/** A command's name and its arguments. */
export type Command = readonly (string | number)[];

/** Sends one command to the server on a port of this machine; a reply that is an error is thrown. */
export async function command(port: number, ...parts: Command): Promise<Reply> {
  const [reply = null] = await commands(port, [parts]);
  return reply;
}

/** Sends commands over one connection, for those that prepare the next: AUTH, READONLY, ASKING. */
export async function commands(port: number, list: readonly Command[]): Promise<Reply[]> {
  const replies = await exchange(port, list);
  for (const reply of replies) if (reply instanceof ReplyError) throw reply;
  return replies;
}

/** The reply to a command that answers with text, such as INFO. */
export async function textFrom(port: number, ...parts: Command): Promise<string> {
  const reply = await command(port, ...parts);
  if (typeof reply === "string") return reply;
  throw new Error(`Expected text from ${parts.join(" ")}, and got ${JSON.stringify(reply)}.`);
}

/** The reply to a command that answers with an array, such as CLUSTER SLOTS. */
export async function listFrom(port: number, ...parts: Command): Promise<readonly Reply[]> {
  const reply = await command(port, ...parts);
  if (Array.isArray(reply)) return reply;
  throw new Error(`Expected an array from ${parts.join(" ")}, and got ${JSON.stringify(reply)}.`);
}

async function exchange(port: number, list: readonly Command[]): Promise<Reply[]> {
  const socket = connect(port, LOOPBACK);
  socket.setTimeout(SILENCE, () => socket.destroy(new Error(`Port ${port} says nothing.`)));
  socket.write(list.map(encode).join(""));
  let heard = Buffer.alloc(0);
  for await (const chunk of socket) {
    heard = Buffer.concat([heard, chunk]);
    const replies = decode(heard, list.length);
    if (replies !== undefined) return replies;
  }
  throw new Error(`Port ${port} closed the connection after ${JSON.stringify(`${heard}`)}.`);
}
