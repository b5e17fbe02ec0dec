import { command, textFrom } from "./command.ts";
import { ReplyError } from "./reply.ts";

export type Asked = { readonly port: number; readonly pid: number | undefined };

/** Whether a process serves on a port: that one, and not another that was faster to take the port. */
export async function serves({ port, pid }: Asked): Promise<boolean> {
  try {
    if ((await command(port, "PING")) !== "PONG") return false;
    return (await textFrom(port, "INFO", "server")).includes(`process_id:${pid}\r`);
  } catch (error) {
    // One that wants a password is up; who it is, it tells nobody.
    if (error instanceof ReplyError && error.message.startsWith("NOAUTH")) return true;
    throw error;
  }
}
