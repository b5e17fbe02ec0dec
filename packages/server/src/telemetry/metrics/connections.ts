import type { EventEmitter } from "node:events";

/** Counts the open connections of a server. Returns the function that reads the count. */
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
