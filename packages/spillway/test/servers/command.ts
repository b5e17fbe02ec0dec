import { connect } from "node:net";
import { LOOPBACK } from "./ports.ts";
import { decode, encode, type Reply, ReplyError } from "./reply.ts";

type Command = readonly (string | number)[];

/** Sends one command to a server, and waits for its answer. Throws an answer that is an error. */
export async function command(port: number, ...parts: Command): Promise<Reply> {
  const [reply] = await commands(port, [parts]);
  return reply as Reply;
}

/** Sends commands over one connection, for those that belong together, and waits for all answers. */
export async function commands(port: number, list: readonly Command[]): Promise<Reply[]> {
  const replies = await exchange(port, list);
  const error = replies.find((reply) => reply instanceof ReplyError);
  if (error !== undefined) throw error;
  return replies;
}

/** The answer to a command that answers with text. */
export async function textFrom(port: number, ...parts: Command): Promise<string> {
  const reply = await command(port, ...parts);
  if (typeof reply === "string") return reply;
  throw new Error(`Expected text from ${parts.join(" ")}, and found ${JSON.stringify(reply)}.`);
}

/** The answer to a command that answers with a list. */
export async function listFrom(port: number, ...parts: Command): Promise<readonly Reply[]> {
  const reply = await command(port, ...parts);
  if (Array.isArray(reply)) return reply;
  throw new Error(`Expected a list from ${parts.join(" ")}, and found ${JSON.stringify(reply)}.`);
}

function exchange(port: number, list: readonly Command[]): Promise<Reply[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, LOOPBACK);
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("connect", () => socket.write(list.map(encode).join("")));
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const replies = decode(bytes, list.length);
      if (replies === undefined) return;
      resolve(replies);
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () =>
      reject(new Error(`The server at port ${port} closed the connection.`)),
    );
  });
}
