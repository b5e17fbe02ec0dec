/** Closes refused connections without leaving state behind. */
import { afterDelay } from "../../limits/core/index.ts";
import type { Connection } from "../contracts.ts";

/** The maximum number of connections that are answered at the same time. The others are reset. */
const MOST_LINGERING = 100;

/** How long a client has to read the answer, in milliseconds. */
const LINGER = 1000;

/** Resets refused connections or answers them first, and counts those that are being answered. */
export class Dismissals {
  #lingering = 0;

  dismiss(socket: Connection, words?: string): void {
    if (socket.destroyed) return;
    if (words === undefined || this.#lingering >= MOST_LINGERING) reset(socket);
    else this.#answer(socket, words);
  }

  #answer(socket: Connection, words: string): void {
    this.#lingering++;
    const stop = afterDelay(LINGER, () => reset(socket));
    socket.on("error", ignore);
    socket.once("close", () => {
      stop();
      this.#lingering--;
    });
    // Read, because otherwise the socket's end is not noticed, and it stays open until the timeout.
    socket.resume();
    socket.end(words);
  }
}

/**
 * Whether the client has already disconnected. If so, the socket is destroyed.
 *
 * A TCP socket has no remote address then. There is no client to limit, and its key is unknown.
 */
export function isGone(socket: Connection): boolean {
  const isReset = socket.remoteAddress === undefined && socket.localAddress !== undefined;
  if (!isReset && !socket.destroyed) return false;
  socket.on("error", ignore);
  socket.destroy();
  return true;
}

/** Listens for errors of a connection that has no other listener. */
export function ignore(): void {}

/**
 * Ends a connection with a reset, which leaves nothing in the kernel.
 *
 * A connection that the server closes first stays there for a minute, in TIME-WAIT. TLS and Unix
 * sockets have no reset and are closed.
 */
function reset(socket: Connection): void {
  socket.on("error", ignore);
  try {
    if (socket.resetAndDestroy === undefined) socket.destroy();
    else socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
