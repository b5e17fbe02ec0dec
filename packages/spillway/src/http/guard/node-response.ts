/** What adapters over `node:http` and `node:http2` share. */

import {
  type Closing,
  closeSignal,
  type Maybe,
  onceClosed,
  queuedOn,
} from "../../internal/index.ts";
import type { Header } from "../headers/index.ts";
import type { RequestReader } from "./client.ts";
import type { Guard } from "./guard.ts";
import type { AnyPassage, Passage } from "./passage.ts";
import type { Refusal } from "./refusal.ts";
import type { RouteDecision } from "./route.ts";

/** What is needed of a request of `node:http` or `node:http2`. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly socket: NodeSocket;
};

/** What is needed of a connection. */
export type NodeSocket = {
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly destroyed?: boolean;
};

/** What is needed of a response. */
export type NodeResponse = Closing & {
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  readonly writableEnded: boolean;
  readonly destroyed?: boolean;
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: handlers without types of their own call any form of it, and chain
  writeHead(...head: any[]): any;
  end(body: string): unknown;
  destroy(): unknown;
};

/**
 * The same with whatever else there is, for functions whose parameter has no type of its own: no
 * framework's types are here. `(request: Request) => …` makes it that framework's.
 */
export type LooseRequest = NodeRequest & Loose;

/** The same for a response. */
export type LooseResponse = NodeResponse & Loose;

// biome-ignore lint/suspicious/noExplicitAny: an index of any is one that every class has
export type Loose = { readonly [member: string]: any };

/** Reads requests of `node:http` and `node:http2`. */
export const nodeReader: Required<RequestReader<NodeRequest>> = {
  method: ({ method }) => method ?? "GET",
  header: ({ headers }, name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  },
  peer: ({ socket }) => socket.remoteAddress,
  isGone: ({ socket }) => isOver(socket),
  body: (request) => (request as { readonly body?: unknown }).body,
};

/** Whether a connection was closed or reset: one of TCP has no other end then. Those of Unix sockets never have one. */
export function isOver({ destroyed, remoteAddress, localAddress }: NodeSocket): boolean {
  return destroyed === true || (remoteAddress === undefined && localAddress !== undefined);
}

/** Asks a guard for a request that such a response answers. */
export function enterBy<R>(
  guard: Guard<R>,
  request: R,
  { response, previous }: { response: NodeResponse; previous: RouteDecision | undefined },
): Maybe<Passage<R>> {
  const signal = guard.waits ? closeSignal(response) : undefined;
  return guard.enter(request, { signal, previous });
}

/** Whether nobody waits for a response any more: the client has gone, or has been answered. */
export function isGone(response: NodeResponse): boolean {
  const { destroyed, stream, writableEnded } = response;
  if (destroyed || writableEnded || stream?.destroyed) return true;
  return queuedOn(response)?.destroyed === true;
}

/** Reports to the client what is left; nothing where the response has begun. */
export function setHeaders(response: NodeResponse, headers: readonly Header[]): void {
  if (response.headersSent) return;
  for (const [name, value] of headers) response.setHeader(name, joined(response, name, value));
}

/** The value to set: a list of names that others have set is added to. */
export function joined(
  response: { getHeader(name: string): unknown },
  name: string,
  value: string,
): string {
  if (name !== EXPOSED) return value;
  const names = [response.getHeader(name) || [], value].flat().join(", ").split(", ");
  return [...new Set(names)].join(", ");
}

const EXPOSED = "Access-Control-Expose-Headers";

/** Has a passage end with its response, and has its headers there, where they can be set. */
export function passOver(response: NodeResponse, passage: AnyPassage): void {
  watch(response, passage);
  setHeaders(response, passage.headers);
}

/** Has a passage end with its response. */
export function watch(response: NodeResponse, passage: AnyPassage): void {
  if (!passage.isWatched) return;
  onceClosed(response, () => {
    const { headersSent, statusCode: status, writableEnded, writableFinished } = response;
    // A response of HTTP/2 that was broken off says that it has finished, but not that it was ended.
    const finished = writableEnded && writableFinished;
    passage.over(headersSent ? { status, finished } : undefined);
  });
}

/**
 * Answers a refusal; a response that others have begun is broken off.
 *
 * All headers are written at once, which costs half of setting one after the other.
 */
export function answer(request: NodeRequest, response: NodeResponse, refusal: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { contentType, text } = refusal.body(nodeReader.header(request, "accept"));
  const head: { [name: string]: string } = {};
  for (const [name, value] of refusal.headers) head[name] = joined(response, name, value);
  head["Content-Type"] = contentType;
  // Node counts it itself only where it writes the headers together with the body. It is ASCII.
  head["Content-Length"] = String(text.length);
  response.writeHead(refusal.status, head);
  response.end(text);
}
