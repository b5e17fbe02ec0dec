/** How requests end. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

type EndingRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tunnel: { readonly client: Duplex } | undefined;
};

/** Whether the client has gone, or has its response. */
export function hasGone({ request, response }: EndingRequest): boolean {
  return response.closed || request.socket.destroyed;
}

/**
 * Calls a function once a request is over. A WebSocket lasts as long as its connection, another
 * request until its response has left.
 */
export function atEnd({ response, tunnel }: EndingRequest, end: () => void): void {
  const isOver = tunnel === undefined ? response.closed : tunnel.client.destroyed;
  if (isOver) end();
  else (tunnel?.client ?? response).once("close", end);
}
