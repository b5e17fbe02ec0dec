/** Listens on a Unix socket that only the service's own user can connect to. */
import { once } from "node:events";
import { lstat, stat, unlink } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { dirname } from "node:path";
import { printable } from "spillway/support";
import { CommandError } from "../command-error.ts";
import { systemMessage } from "../system-message.ts";

/** The permissions that are withheld: the socket has mode 0600 from its first moment on. */
const WITHHELD = 0o177;

/** @throws CommandError `port-in-use`, `address-unusable` */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (process.platform === "win32") {
    throw cannot({ path, why: "Windows has no permissions for it; use --admin-port" });
  }
  try {
    await checkFolder(path);
    await removeAbandoned(path);
    const listening = once(server, "listening");
    // Node binds within this call, so nothing else is created with this mask.
    const usual = process.umask(WITHHELD);
    server.listen(path);
    process.umask(usual);
    await listening;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw cannot({ path, why: systemMessage(error) });
  }
}

/** Node says of a missing folder that the permission is denied. @throws CommandError */
async function checkFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw cannot({ path, why: `${printable(folder)} is no folder; create it first` });
}

/** Removes the socket of a process that was killed. @throws CommandError */
async function removeAbandoned(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw cannot({ path, why: "a file that is no socket is in its place" });
  if (await isServed(path)) {
    const hint = "choose another path with --admin-socket or SPILLWAY_ADMIN_SOCKET";
    const detail = `another program listens on ${printable(path)}; ${hint}`;
    throw new CommandError("port-in-use", detail);
  }
  await unlink(path);
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

type Failure = { readonly path: string; readonly why: string };

function cannot({ path, why }: Failure): CommandError {
  return new CommandError("address-unusable", `can't listen on ${printable(path)}: ${why}`);
}
