/** What clients meet in this suite; times in milliseconds. */

/** Requests a second that each server allows, to all clients together. */
export const RATE = 100;
/** The window of those that have one. */
export const WINDOW = 5000;
export const CLIENTS = 10;
/** How much more is wanted than is allowed. */
export const TIMES = 5;
/** What came before is learning, and does not count. */
export const LEARNT = 15_000;
/** Until then it does; then the servers are away for a while, and back. */
export const MEASURED = 26_000;
export const BACK = 29_000;
export const LASTING = 34_000;

/** One request as a server has seen it. */
export type Seen = { readonly at: number; readonly status: number };

/** The servers, by name. */
export const SERVERS = ["express-rate-limit", "@fastify/rate-limit", "spillway", "nginx"] as const;
export type ServerName = (typeof SERVERS)[number];

/** What servers are sent: go away, come back, report what was seen. */
export type Message = "down" | "up" | "report";
