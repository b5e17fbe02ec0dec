/** The used part of Nest and its platforms, described without importing their types. */
import {
  type AnyMembers,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  type RequestReader,
  type RouteDecision,
} from "../../guard/index.ts";

/** A request of Express, or of Fastify, whose `raw` is one of `node:http`. */
export type UncheckedNestRequest = AnyMembers;

/** A response of Express, or a reply of Fastify. */
export type UncheckedNestResponse = AnyMembers & {
  readonly raw?: NodeResponse;
  header(name: string, value: string): unknown;
  getHeader(name: string): unknown;
};

/** The member of a request that limits have decided: `@Req() request: Request & LimitedRequest`. */
export type LimitedRequest = {
  /** The decision of the route's limits. If there are several routes, that of the last one. */
  spillway?: RouteDecision;
};

/** The used part of an execution context. */
export type NestContext = {
  getType(): string;
  switchToHttp(): {
    getRequest(): UncheckedNestRequest & LimitedRequest;
    getResponse(): UncheckedNestResponse;
  };
};

/**
 * The used part of an execution context, with the handler and class that decorators have marked.
 */
export type HandlerContext = NestContext & { getHandler(): object; getClass(): object };

/** Reads Node's request. Proxies are trusted by `trust`, not by a setting of the platform. */
export const reader: RequestReader<UncheckedNestRequest> = {
  method: (request) => nodeReader.method(nodeRequest(request)),
  header: (request, name) => nodeReader.header(nodeRequest(request), name),
  target: (request) => nodeReader.target(nodeRequest(request)),
  authority: (request) => nodeReader.authority(nodeRequest(request)),
  peer: (request) => nodeReader.peer(nodeRequest(request)),
  isGone: (request) => nodeReader.isGone(nodeRequest(request)),
  body: ({ body }) => body,
};

function nodeRequest(request: UncheckedNestRequest): NodeRequest {
  return request.raw ?? request;
}

/** Returns the response of `node:http`. */
export function nodeResponse(response: UncheckedNestResponse): NodeResponse {
  return response.raw ?? (response as unknown as NodeResponse);
}
