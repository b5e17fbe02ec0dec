/** The used part of Fastify, described without importing its types, and the options of a route. */
import type { Limits } from "../../../limits/core/index.ts";
import {
  type AnyMembers,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  type Refusal,
  type RequestReader,
  type RouteLimits,
  type SharedRoute,
} from "../../guard/index.ts";

/** A request with the used members, and others of any type. */
export type UncheckedFastifyRequest = AnyMembers & { readonly raw: NodeRequest };

/** A reply with the used members, and others of any type. */
export type UncheckedFastifyReply = AnyMembers & {
  readonly raw: NodeResponse;
  readonly sent: boolean;
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  getHeader(name: string): unknown;
  serializer(serialize: (payload: unknown) => string): unknown;
  send(payload: unknown): unknown;
};

/** The used part of an instance. */
export type UncheckedFastifyInstance = {
  decorateRequest(name: string, value: undefined): unknown;
  hasRequestDecorator(name: string): boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each hook has its own parameters
  addHook(name: any, hook: any): unknown;
};

/** The options of a route. */
export type FastifyRoute<Req, Rep, L extends Limits = Limits> = RouteLimits<Req, L> & {
  /** Answers a refusal itself, as a handler does. Status and headers are already set. */
  readonly onLimited?: (request: Req, reply: Rep, refusal: Refusal) => unknown;
  /** Passes refusals to the error handler as a `RateLimitError`. Default: false. */
  readonly throws?: boolean;
};

/** The same for settings that many routes share, which may name no limits. */
export type SharedFastifyRoute<Req, Rep, L extends Limits = Limits> = SharedRoute<Req, L> &
  Pick<FastifyRoute<Req, Rep, L>, "onLimited" | "throws">;

/**
 * Reads Node's request instead of Fastify's. Proxies are trusted by `trust`, not by Fastify's
 * setting.
 */
export const reader: RequestReader<UncheckedFastifyRequest> = {
  method: ({ raw }) => nodeReader.method(raw),
  header: ({ raw }, name) => nodeReader.header(raw, name),
  target: ({ raw }) => nodeReader.target(raw),
  authority: ({ raw }) => nodeReader.authority(raw),
  peer: ({ raw }) => nodeReader.peer(raw),
  isGone: ({ raw }) => nodeReader.isGone(raw),
  body: ({ body }) => body,
};
