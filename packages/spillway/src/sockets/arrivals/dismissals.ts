/** Getting rid of connections, at no lasting cost. */
import { afterDelay } from "../../limits/core/index.ts";
import type { Connection } from "../contracts.ts";

/** The most that are answered at once: the others are reset. */
const MOST_LINGERING = 100;

/** Milliseconds that a client has to read it. */
const LINGER = 1000;

/** Resets refused connections, or answers them first; counts those that are still to read it. */
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
    // Unless somebody reads, its end is not noticed, and it stays for the whole time.
    socket.resume();
    socket.end(words);
  }
}

/**
 * Whether its client has reset it already: a TCP socket that has no other end any more. Nobody is there to be
 * limited, and its key can't be found.
 */
export function isGone(socket: Connection): boolean {
  const isReset = socket.remoteAddress === undefined && socket.localAddress !== undefined;
  if (!isReset && !socket.destroyed) return false;
  socket.on("error", ignore);
  socket.destroy();
  return true;
}

/** Listens to the errors of a connection that is nobody's. */
export function ignore(): void {}

/**
 * Ends a connection by a reset, which leaves nothing behind in the kernel: one that a server closes
 * first stays there for a minute, in TIME-WAIT. TLS and Unix sockets have no reset, and are closed.
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
