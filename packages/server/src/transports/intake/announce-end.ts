/** Ends a connection of HTTP/2 so that its client loses no request. */
import type { ServerHttp2Session } from "node:http2";
import { alarm } from "spillway/support";

/** The highest number of a stream. */
const LAST_STREAM = 2 ** 31 - 1;

/** How long to wait for a client to acknowledge, in milliseconds. */
const HEARD = 250;

/**
 * Announces the end of a connection in HTTP/2's two steps. First the client is informed, and its
 * further requests are still answered. After it has acknowledged, no more are accepted. A client
 * without requests under way need not acknowledge.
 *
 * `onClosed` is called once no more requests are accepted. A client that never closes its side of
 * the connection then keeps its socket, until the caller destroys that.
 */
export function announceEnd(session: ServerHttp2Session, onClosed = () => {}): void {
  const end = () => {
    cancel();
    if (session.destroyed) return;
    session.close();
    onClosed();
  };
  const cancel = alarm(HEARD, end);
  session.once("close", cancel);
  session.goaway(0, LAST_STREAM);
  session.ping(end);
}
