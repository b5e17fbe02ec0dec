import type { Socket } from "node:net";
import { afterDelay } from "spillway/support";

/**
 * Calls a function after `ms` milliseconds, unless the socket is closed by then.
 *
 * For sockets that are to be destroyed: a closed session of HTTP/2 ends the server's side only, so
 * a client that does not close its own would stay.
 */
export function afterUnlessClosed(socket: Socket, ms: number, call: () => void): void {
  if (socket.destroyed) return;
  const end = () => {
    socket.off("close", cancel);
    call();
  };
  const cancel = afterDelay(ms, end);
  socket.once("close", cancel);
}
