/** What is needed of Fastify, whose types are not here, and what a route can say. */
import type { Limits } from "../../../limits/core/index.ts";
import {
  type Loose,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  type Refusal,
  type RequestReader,
  type RouteLimits,
} from "../../guard/index.ts";

/** What is needed of a request, and whatever else there is. */
export type LooseRequest = Loose & { readonly raw: NodeRequest };

/** What is needed of a reply, and whatever else there is. */
export type LooseReply = Loose & {
  readonly raw: NodeResponse;
  readonly sent: boolean;
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  getHeader(name: string): unknown;
  serializer(serialize: (payload: unknown) => string): unknown;
  send(payload: unknown): unknown;
};

/** What is needed of an instance. */
export type LooseInstance = {
  decorateRequest(name: string, value: undefined): unknown;
  hasRequestDecorator(name: string): boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each hook has its own parameters
  addHook(name: any, hook: any): unknown;
};

/** What a route can say of its limits. */
export type FastifyRoute<Req, Rep, L extends Limits = Limits> = RouteLimits<Req, L> & {
  /** Answers a refusal instead, as a handler does: status and headers are set already. */
  readonly onLimited?: (request: Req, reply: Rep, refusal: Refusal) => unknown;
  /** Passes a refusal on to the error handler, as a `RateLimitError`. Default: false. */
  readonly throws?: boolean;
};

/** Reads the request below Fastify's: what it says of proxies is for `trust`. */
export const reader: RequestReader<LooseRequest> = {
  method: ({ raw }) => nodeReader.method(raw),
  header: ({ raw }, name) => nodeReader.header(raw, name),
  peer: ({ raw }) => nodeReader.peer(raw),
  isGone: ({ raw }) => nodeReader.isGone(raw),
  body: ({ body }) => body,
};
