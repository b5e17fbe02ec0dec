/** The part that adapters over `node:http` and `node:http2` share. */

import {
  type ClosableResponse,
  closeSignal,
  type MaybePromise,
  onceClosed,
  queuedOn,
} from "../../internal/index.ts";
import type { Header } from "../headers/index.ts";
import { hostIn, type RequestReader } from "./client.ts";
import type { Guard } from "./guard.ts";
import type { AnyPassage, Passage } from "./passage.ts";
import type { Refusal } from "./refusal.ts";
import type { RouteDecision } from "./route.ts";

/** The used part of a request of `node:http` or `node:http2`. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly socket: NodeSocket;
};

/** The used part of a connection. */
export type NodeSocket = {
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly destroyed?: boolean;
};

/** The used part of a response. */
export type NodeResponse = ClosableResponse & {
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  readonly writableEnded: boolean;
  readonly destroyed?: boolean;
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: untyped handlers call any form of it, and chain
  writeHead(...head: any[]): any;
  end(body: string): unknown;
  destroy(): unknown;
};

/**
 * A request with members of any type, for functions whose parameter has no type of its own.
 *
 * This library imports no types of frameworks. `(request: Request) => …` names the framework's
 * type.
 */
export type UncheckedRequest = NodeRequest & AnyMembers;

/** A response with members of any type, in the same way. */
export type UncheckedResponse = NodeResponse & AnyMembers;

// biome-ignore lint/suspicious/noExplicitAny: an index of any is one that every class has
export type AnyMembers = { readonly [member: string]: any };

/** Reads requests of `node:http` and `node:http2`. */
export const nodeReader: Required<RequestReader<NodeRequest>> = {
  method: ({ method }) => method ?? "GET",
  header: ({ headers }, name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  },
  // Frameworks replace `url` below a path of their own.
  target: (request) => (request as { readonly originalUrl?: string }).originalUrl ?? request.url,
  authority: (request) =>
    nodeReader.header(request, ":authority") ?? hostIn(nodeReader.target(request) ?? "/"),
  peer: ({ socket }) => socket.remoteAddress,
  isGone: ({ socket }) => isOver(socket),
  body: (request) => (request as { readonly body?: unknown }).body,
};

/**
 * Whether a connection was closed or reset: then a TCP socket has no remote address. Unix sockets
 * never have one.
 */
export function isOver({ destroyed, remoteAddress, localAddress }: NodeSocket): boolean {
  return destroyed === true || (remoteAddress === undefined && localAddress !== undefined);
}

/** Passes a request to a guard, with the response that will answer it. */
export function enterBy<R>(
  guard: Guard<R>,
  request: R,
  { response, previous }: { response: NodeResponse; previous: RouteDecision | undefined },
): MaybePromise<Passage<R>> {
  const signal = guard.waits ? closeSignal(response) : undefined;
  return guard.enter(request, { signal, previous });
}

/** Whether a response can no longer be sent: the client has disconnected, or has been answered. */
export function isGone(response: NodeResponse): boolean {
  const { destroyed, stream, writableEnded } = response;
  if (destroyed || writableEnded || stream?.destroyed) return true;
  return queuedOn(response)?.destroyed === true;
}

/** Sets a passage's headers; does nothing if the headers were already sent. */
export function setHeaders(response: NodeResponse, headers: readonly Header[]): void {
  if (response.headersSent) return;
  for (const [name, value] of headers) response.setHeader(name, joined(response, name, value));
}

/** Returns the value to set. A list of exposed header names that other code has set is extended. */
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

/**
 * Ends a passage with its response, and sets the passage's headers on it if they can still be set.
 */
export function applyPassage(response: NodeResponse, passage: AnyPassage): void {
  watch(response, passage);
  setHeaders(response, passage.headers);
}

/** Ends a passage with its response. */
export function watch(response: NodeResponse, passage: AnyPassage): void {
  if (!passage.isWatched) return;
  onceClosed(response, () => {
    const { headersSent, statusCode: status, writableEnded, writableFinished } = response;
    // An aborted response of HTTP/2 reports that it has finished, but not that it was ended.
    const finished = writableEnded && writableFinished;
    passage.over(headersSent ? { status, finished } : undefined);
  });
}

/**
 * Answers a refusal. A response that other code has begun is aborted.
 *
 * All headers are written at once, which costs half as much as setting one after the other.
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
  // Node computes the length only if it writes headers and body together. The text is ASCII.
  head["Content-Length"] = String(text.length);
  response.writeHead(refusal.status, head);
  response.end(text);
}
