import type { EventEmitter } from "node:events";

/** Counts what a server has open: its connections, or the sessions of HTTP/2. */
export function openOn(server: EventEmitter, event: "connection" | "session"): () => number {
  let open = 0;
  server.on(event, (one: EventEmitter) => {
    open++;
    one.once("close", () => {
      open--;
    });
  });
  return () => open;
}
