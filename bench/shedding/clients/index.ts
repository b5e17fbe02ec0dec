import type { Clients } from "./clients.ts";
import { Http1Clients } from "./http1.ts";
import { Http2Clients } from "./http2.ts";

type Make = (port: number) => Clients;

const KINDS = {
  /** Give up and close; come back on another connection. */
  closing: (port) => new Http1Clients(port, { reuses: true, closes: true }),
  /** Give up, but leave the connection open until its answer has come. */
  keeping: (port) => new Http1Clients(port, { reuses: true, closes: false }),
  /** Open a connection for each request. */
  single: (port) => new Http1Clients(port, { reuses: false, closes: true }),
  /** Four sessions; who gives up resets the stream. */
  http2: (port) => new Http2Clients({ port, sessions: 4 }),
  /** A session for each request. */
  "http2 single": (port) => new Http2Clients({ port, sessions: Number.POSITIVE_INFINITY }),
} satisfies Record<string, Make>;

export type ClientKind = keyof typeof KINDS;

export const CLIENT_KINDS = Object.keys(KINDS) as readonly ClientKind[];

/** Clients of a server on this machine. */
export function makeClients(kind: ClientKind, port: number): Clients {
  return KINDS[kind](port);
}

/** Clients of the same protocol, each with a connection of its own. */
export function proberOf(kind: ClientKind): ClientKind {
  return kind.startsWith("http2") ? "http2 single" : "single";
}
