/** What clients meet in this suite; times in milliseconds. */

/**
 * Requests a second that each server allows, to all clients together. More of them, and on two cores the retries
 * of some clients keep the servers from answering what they allow.
 */
export const RATE = 40;
/** The window of those that have one. */
export const WINDOW = 5000;
export const CLIENTS = 10;
/** How much more is wanted than is allowed. */
export const TIMES = 5;
/** What came before is learning, and does not count. */
export const LEARNT = 15_000;
/** Until then it does, which is two windows; then the servers are away for a while, and back. */
export const MEASURED = 25_000;
export const BACK = 28_000;
export const LASTING = 33_000;

/** One request as a server has seen it. */
export type Seen = { readonly at: number; readonly status: number };

/** The servers, by name. */
export const SERVERS = ["express-rate-limit", "@fastify/rate-limit", "spillway", "nginx"] as const;
export type ServerName = (typeof SERVERS)[number];

/** What servers are sent: it is measured from now on, go away, come back, report. */
export type Message = "measured" | "down" | "up" | "report";

/** What servers report. */
export type Report = {
  readonly seen: { readonly [name: string]: readonly Seen[] };
  /** Which part of the time the process of all of them was at work, while it was measured. */
  readonly busy: number;
};
