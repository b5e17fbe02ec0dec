/** What is needed of Nest and of the platforms below it, whose types are not here. */
import {
  type Loose,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  type RequestReader,
  type RouteDecision,
} from "../../guard/index.ts";

/** A request of Express, or of Fastify, whose `raw` is one of `node:http`. */
export type LooseRequest = Loose;

/** A response of Express, or a reply of Fastify. */
export type LooseResponse = Loose & {
  readonly raw?: NodeResponse;
  header(name: string, value: string): unknown;
  getHeader(name: string): unknown;
};

/** What a request has once it has passed limits: `@Req() request: Request & LimitedRequest`. */
export type LimitedRequest = {
  /** What the limits have decided; of the last route where there are several. */
  spillway?: RouteDecision;
};

/** What is needed of an execution context. */
export type Context = {
  getType(): string;
  switchToHttp(): { getRequest(): LooseRequest & LimitedRequest; getResponse(): LooseResponse };
};

/** What is needed of an execution context to find what decorators have said. */
export type HandlerContext = Context & { getHandler(): object; getClass(): object };

/** Reads the request of `node:http`: what a platform says of proxies is for `trust`. */
export const reader: RequestReader<LooseRequest> = {
  method: (request) => nodeReader.method(nodeRequest(request)),
  header: (request, name) => nodeReader.header(nodeRequest(request), name),
  peer: (request) => nodeReader.peer(nodeRequest(request)),
  isGone: (request) => nodeReader.isGone(nodeRequest(request)),
  body: ({ body }) => body,
};

function nodeRequest(request: LooseRequest): NodeRequest {
  return request.raw ?? request;
}

/** The response of `node:http`. */
export function nodeResponse(response: LooseResponse): NodeResponse {
  return response.raw ?? (response as unknown as NodeResponse);
}
