/** What an adapter is tested through: a server of its framework, with one route. */
import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { RouteDecision, RouteLimits } from "../../../src/http/guard/index.ts";
import type { AnyLimiter } from "../../../src/limiter/index.ts";

/** A request of whichever framework. */
// biome-ignore lint/suspicious/noExplicitAny: each framework has its own
export type AnyRequest = any;

/** A route as all frameworks understand it. */
export type AnyRoute = RouteLimits<AnyRequest> & {
  readonly throws?: boolean;
  /** Answer refusals by oneself: with this text, and the status that is set. */
  readonly ownAnswer?: string;
};

/** What a handler answers. */
export type Reply = {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  /** What is waited for between the first half of the body, which is sent, and the rest. */
  readonly until?: Promise<unknown>;
};

/** A route's handler: given what the limits have decided. */
export type Handler = (decision: RouteDecision | undefined) => Reply | Promise<Reply>;

/** One route for every path and method. */
export type Site = {
  readonly limiter: AnyLimiter;
  /** Limits of routes, one after the other on the same request. */
  readonly routes: readonly AnyRoute[];
  readonly handle: Handler;
};

/** A framework with its adapter. */
export type Host = {
  readonly name: string;
  /** A header's value of one of its requests. */
  header(request: AnyRequest, name: string): string | undefined;
  /** Starts a server for a site. */
  start(site: Site): Promise<Running>;
  /** Rows that it can't run, by their situations, and why. */
  readonly lacks?: { readonly [situation: string]: string };
};

/** A server. */
export type Running = {
  readonly port: number;
  /** The path that is asked for. Default: `/`. */
  readonly path?: string;
  /** How many connections are open. */
  connections(): Promise<number>;
  /** Resolves when all responses are over and no connection is open any more. */
  close(): Promise<void>;
};

/** Listens with a server of `node:http`. */
export async function listening(server: Server): Promise<Running> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    await once(server, "close");
  };
  const connections = async () => promisify(server.getConnections.bind(server))();
  return { port, connections, close };
}

/** A header of a request of `node:http`. */
export function nodeHeader(request: IncomingMessage, name: string): string | undefined {
  return request.headers[name]?.toString();
}

/** Writes what a handler answers with `node:http`. */
export async function write(
  response: Parameters<RequestListener>[1],
  { status = 200, headers = {}, body = "ok", until }: Reply,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (until !== undefined) {
    response.write(body);
    await until;
    response.end(body);
  } else response.end(body);
}
