/** Detects when responses of `node:http` and `node:http2` are closed. */

/** The used part of a response. */
export type ClosableResponse = {
  /** The stream of HTTP/2, whose response does not expose its own state. */
  readonly stream?: { readonly destroyed: boolean };
  /**
   * Null while the response waits for earlier ones on its connection; undefined if it has no
   * socket.
   */
  readonly socket?: object | null;
  readonly req?: { readonly socket?: ClosableSocket | null };
  once(event: "close", listener: () => void): unknown;
};

type ClosableSocket = {
  readonly destroyed?: boolean;
  once(event: "close", listener: () => void): unknown;
};

/**
 * Returns the connection on which a response waits for earlier ones; undefined if it does not wait.
 *
 * Responses wait if requests of HTTP/1 are pipelined.
 */
export function queuedOn({ stream, socket, req }: ClosableResponse): ClosableSocket | undefined {
  return stream === undefined && socket === null ? (req?.socket ?? undefined) : undefined;
}

/**
 * Calls `close` when a response is closed, or its connection while it waits.
 *
 * Node 22.12 does not close responses that wait for earlier ones if their connection breaks.
 */
export function onceClosed(response: ClosableResponse, close: () => void): void {
  const connection = queuedOn(response);
  if (connection === undefined) {
    response.once("close", close);
    return;
  }
  const waiting = waitingOn(connection);
  waiting.add(close);
  response.once("close", () => {
    waiting.delete(close);
    close();
  });
}

/**
 * The functions to call for each connection. With one listener for each response, Node would warn
 * of too many.
 */
const waitingResponses = new WeakMap<ClosableSocket, Set<() => void>>();

function waitingOn(connection: ClosableSocket): Set<() => void> {
  const known = waitingResponses.get(connection);
  if (known !== undefined) return known;
  const waiting = new Set<() => void>();
  waitingResponses.set(connection, waiting);
  connection.once("close", () => {
    for (const close of waiting) close();
  });
  return waiting;
}
