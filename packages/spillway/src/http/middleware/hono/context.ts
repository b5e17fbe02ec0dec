/** What is needed of Hono, whose types are not here. */
import type { StopSignal } from "../../../internal/index.ts";
import {
  bunOpener,
  bunServerIn,
  type FetchResponse,
  isEmpty,
  isOver,
  type Loose,
  type NodeSocket,
  type RequestReader,
  type SocketOpener,
} from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";

/** What is needed of a context, and whatever else there is. */
export type LooseContext = Loose & {
  readonly req: Loose & {
    readonly method: string;
    readonly raw: {
      readonly headers: { get(name: string): string | null };
      readonly signal?: StopSignal;
    };
  };
  // biome-ignore lint/suspicious/noExplicitAny: a program's bindings, which its types name
  readonly env: any;
  // biome-ignore lint/suspicious/noExplicitAny: Hono's own type of it depends on its other parts
  res: any;
};

/** What servers pass beside a request, which names the other end of the connection. */
type Bindings = {
  /** Of `@hono/node-server`. */
  readonly incoming?: { readonly socket?: NodeSocket & Closeable };
  readonly outgoing?: unknown;
  /** Of Deno. */
  readonly remoteAddr?: { readonly hostname?: string };
  /** Of Bun, which may be the bindings itself. */
  readonly server?: Server & Bindings;
};

type Closeable = { once(event: "close", listener: () => void): unknown };

type Server = { requestIP?(request: unknown): { readonly address: string } | null };

/** Reads a context's request. */
export const reader: RequestReader<LooseContext> = {
  method: ({ req }) => req.method,
  header: ({ req }, name) => req.raw.headers.get(name) ?? undefined,
  peer: ({ env, req }) => {
    const bindings: (Server & Bindings) | undefined = env?.server ?? env;
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

/** What opens the WebSocket that a request asks for, where the handler's answer doesn't. */
export function openerOf({ env, req }: LooseContext): SocketOpener | undefined {
  const { incoming, outgoing } = (env?.server ?? env ?? {}) as Bindings;
  // `@hono/node-server` has nothing to send an answer with then: it opens it if it is answered an empty one.
  if (incoming?.socket !== undefined && outgoing === undefined) {
    const { socket } = incoming;
    const onClose = (call: () => void) => socket.once("close", call);
    return { opened: (answer) => (isEmpty(answer) ? { onClose } : undefined) };
  }
  const server = bunServerIn(env);
  return server && bunOpener(server, req.raw);
}

/** The response that a context has; the same, typed. */
export function responseOf(context: LooseContext): FetchResponse {
  return context.res;
}

/** Puts a response in the place of the one that a context has. */
export function replaceResponse(context: LooseContext, response: FetchResponse): void {
  if (response === context.res) return;
  // Hono would add the headers of the earlier one.
  context.res = undefined;
  context.res = response;
}

/**
 * Adds to the names that an earlier middleware has exposed, as `cors` does: of what it has set, and what
 * a response says that comes after, Hono keeps the earlier.
 */
export function expose(context: LooseContext, headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    if (name === "Access-Control-Expose-Headers") context.header(name, value, { append: true });
  }
}
