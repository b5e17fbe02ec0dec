/** Limits connections before any byte of them is parsed. */
import { Guard, type RequestReader } from "../../http/guard/index.ts";
import { abandon } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { Limits } from "../../limits/core/index.ts";
import type {
  Connection,
  ConnectionRoute,
  EventSource,
  UncheckedConnection,
} from "../contracts.ts";
import { intercept } from "../intercept.ts";
import { checkServer, routeOfConnections } from "./check.ts";
import { ConnectionAdmitter, type OverflowSettings } from "./connection-admitter.ts";
import { Dismissals, isGone } from "./dismissals.ts";

const reader: RequestReader<Connection> = {
  method: () => "",
  header: () => undefined,
  peer: ({ remoteAddress }) => remoteAddress,
};

/**
 * Limits the connections of a server of `node:net`, `http`, `https`, `http2` or `tls`.
 *
 * The default key is the client's address. Call it once, before or after the server listens. A
 * refused connection is reset before anything is read. The lease of a concurrency limit is renewed
 * while the connection lasts, and ends with it. Connections that are already open stay, and are not
 * counted.
 *
 * Not behind a proxy or load balancer, which is the other end of every connection: limit requests
 * there.
 *
 * @throws SpillwayError if the server or the route is invalid
 * @example
 * limitConnections(server, limiter, { limits: [{ limit: "connects" }, { limit: "connections" }] });
 */
export function limitConnections<
  const L extends Limits,
  S extends Connection = UncheckedConnection,
>(server: EventSource, limiter: AnyLimiter<L>, route: ConnectionRoute<S, L>): void {
  checkServer(server);
  const ofSockets = routeOfConnections(route as ConnectionRoute<S>);
  const guard = new Guard<S>(limiter, ofSockets, reader);
  const admitter = new ConnectionAdmitter(guard, route as OverflowSettings<S>);
  const dismissals = new Dismissals();
  const refuse = (socket: S) => dismissals.dismiss(socket, wordsFor(route, socket));
  const gate = ([first]: readonly unknown[], pass: () => void) => {
    const socket = first as S;
    if (isGone(socket)) return;
    admitter.enter({
      request: socket,
      socket,
      pass: () => pass(),
      refuse: () => refuse(socket),
      overflow: () => refuse(socket),
    });
  };
  intercept(server, new Map([["connection", gate]]));
}

/**
 * Returns the text to send before the close, if the program's function returns a string. An error
 * must not keep the connection open, and a promise is not awaited.
 */
function wordsFor<S>(
  { lastWords }: { lastWords?: ((socket: S) => string | undefined) | undefined },
  socket: S,
): string | undefined {
  try {
    const words: unknown = lastWords?.(socket);
    if (typeof words === "string") return words;
    abandon(words);
  } catch {
    // If the function throws, nothing is sent before the close.
  }
  return undefined;
}
