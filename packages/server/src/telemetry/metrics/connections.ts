import type { EventEmitter } from "node:events";

/** Counts the connections that a server has open. */
export function openOn(server: EventEmitter): () => number {
  let open = 0;
  server.on("connection", (one: EventEmitter) => {
    open++;
    one.once("close", () => {
      open--;
    });
  });
  return () => open;
}
