/** Bounds for what transports read, over all connections and in one turn of the event loop. */
export { afterUnlessClosed } from "./after-unless-closed.ts";
export { announceEnd } from "./announce-end.ts";
export { connectionEvent } from "./connection-event.ts";
export type { Defence } from "./defence.ts";
export { HeldBytes, type HeldMessage, type HeldOptions } from "./held-bytes.ts";
export { MessageScheduler, type QueuedMessage } from "./message-scheduler.ts";
export { RoundRobinQueue } from "./round-robin-queue.ts";
export { shownStack } from "./shown-stack.ts";
