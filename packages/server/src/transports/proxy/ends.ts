/** How requests end. */
import type { ArrivedRequest } from "./arrival.ts";

/**
 * Calls a function once a request is over. A WebSocket lasts as long as its connection, another
 * request until its response has left.
 */
export function atEnd(
  { response, tunnel }: Pick<ArrivedRequest, "response" | "tunnel">,
  end: () => void,
): void {
  const isOver = tunnel === undefined ? response.closed : tunnel.client.destroyed;
  if (isOver) end();
  else (tunnel?.client ?? response).once("close", end);
}
