/** When responses of `node:http` and `node:http2` are over. */

/** What is needed of a response. */
export type Closing = {
  /** Of HTTP/2, whose response does not know itself. */
  readonly stream?: { readonly destroyed: boolean };
  /** Null while it waits for those before it on its connection; undefined where there is none. */
  readonly socket?: object | null;
  readonly req?: { readonly socket?: Connection | null };
  once(event: "close", listener: () => void): unknown;
};

type Connection = {
  readonly destroyed?: boolean;
  once(event: "close", listener: () => void): unknown;
};

/** The connection on which a response waits for those before it: pipelined requests of HTTP/1. */
export function queuedOn({ stream, socket, req }: Closing): Connection | undefined {
  return stream === undefined && socket === null ? (req?.socket ?? undefined) : undefined;
}

/** Node 22.12 does not close the responses that wait for others when their connection breaks. */
export function onceClosed(response: Closing, close: () => void): void {
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

/** One listener for a connection: for each response, Node would warn of too many. */
const waitingResponses = new WeakMap<Connection, Set<() => void>>();

function waitingOn(connection: Connection): Set<() => void> {
  const known = waitingResponses.get(connection);
  if (known !== undefined) return known;
  const waiting = new Set<() => void>();
  waitingResponses.set(connection, waiting);
  connection.once("close", () => {
    for (const close of waiting) close();
  });
  return waiting;
}
