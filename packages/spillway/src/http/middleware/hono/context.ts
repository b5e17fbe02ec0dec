/** The used part of Hono, described without importing its types. */
import type { StopSignal } from "../../../internal/index.ts";
import {
  type AnyMembers,
  bunOpener,
  bunServerIn,
  type FetchResponse,
  isEmpty,
  isOver,
  type NodeRequest,
  type NodeSocket,
  nodeReader,
  type RequestReader,
  type SocketOpener,
} from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";

/** A context with the used members, and others of any type. */
export type UncheckedHonoContext = AnyMembers & {
  readonly req: AnyMembers & {
    readonly method: string;
    readonly raw: {
      readonly url?: string;
      readonly headers: { get(name: string): string | null };
      readonly signal?: StopSignal;
    };
  };
  // biome-ignore lint/suspicious/noExplicitAny: a program's bindings, which its types name
  readonly env: any;
  // biome-ignore lint/suspicious/noExplicitAny: Hono's own type of it depends on its other parts
  res: any;
};

/** The objects that servers pass beside a request. They contain the peer address. */
type Bindings = {
  /** From `@hono/node-server`. */
  readonly incoming?: Partial<NodeRequest> & { readonly socket?: NodeSocket & Closeable };
  readonly outgoing?: unknown;
  /** From Deno. */
  readonly remoteAddr?: { readonly hostname?: string };
  /** Bun's server, which may also be the bindings object itself. */
  readonly server?: RequestIpServer & Bindings;
};

type Closeable = { once(event: "close", listener: () => void): unknown };

type RequestIpServer = { requestIP?(request: unknown): { readonly address: string } | null };

/** Reads the request of a context. */
export const reader: RequestReader<UncheckedHonoContext> = {
  method: ({ req }) => req.method,
  header: ({ req }, name) => req.raw.headers.get(name) ?? undefined,
  target: ({ req }) => req.raw.url,
  authority: ({ env }) => {
    const { incoming } = ((env?.server ?? env) as Bindings | undefined) ?? {};
    return incoming?.headers && nodeReader.authority(incoming as NodeRequest);
  },
  peer: ({ env, req }) => {
    const bindings: (RequestIpServer & Bindings) | undefined = env?.server ?? env;
    const { incoming, remoteAddr } = bindings ?? {};
    if (incoming !== undefined) return incoming.socket?.remoteAddress;
    if (remoteAddr !== undefined) return remoteAddr.hostname;
    return bindings?.requestIP?.(req.raw)?.address;
  },
  isGone: ({ env }) => {
    const bindings: Bindings | undefined = env?.server ?? env;
    const { socket } = bindings?.incoming ?? {};
    return socket !== undefined && isOver(socket);
  },
};

/**
 * Returns the opener of the requested WebSocket, if the handler's response does not open it itself.
 */
export function openerOf({ env, req }: UncheckedHonoContext): SocketOpener | undefined {
  const { incoming, outgoing } = (env?.server ?? env ?? {}) as Bindings;
  // Here `@hono/node-server` has no outgoing response. It opens the WebSocket if the handler's
  // response is empty.
  if (incoming?.socket !== undefined && outgoing === undefined) {
    const { socket } = incoming;
    const onClose = (call: () => void) => socket.once("close", call);
    return { opened: (answer) => (isEmpty(answer) ? { onClose } : undefined) };
  }
  const server = bunServerIn(env);
  return server && bunOpener(server, req.raw);
}

/** The used part of a response of `node:http`. */
export type Outgoing = {
  readonly headersSent: boolean;
  writeHead(status: number, ...head: readonly unknown[]): unknown;
};

/** Returns the response of `node:http` that will send the context's; undefined elsewhere. */
export function outgoingOf({ env }: UncheckedHonoContext): Outgoing | undefined {
  const outgoing = ((env?.server ?? env) as Bindings | undefined)?.outgoing as Partial<Outgoing>;
  return typeof outgoing?.writeHead === "function" ? (outgoing as Outgoing) : undefined;
}

/** Returns the response of a context, with a type. */
export function responseOf(context: UncheckedHonoContext): FetchResponse {
  return context.res;
}

/** Replaces the response of a context. */
export function replaceResponse(context: UncheckedHonoContext, response: FetchResponse): void {
  if (response === context.res) return;
  // Otherwise Hono would add the headers of the earlier response.
  context.res = undefined;
  context.res = response;
}

/**
 * Appends to the header names that an earlier middleware, such as `cors`, has exposed.
 *
 * If a later response has the same header, Hono keeps the earlier value. So the names must be
 * appended first.
 */
export function expose(context: UncheckedHonoContext, headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    if (name === "Access-Control-Expose-Headers") context.header(name, value, { append: true });
  }
}
