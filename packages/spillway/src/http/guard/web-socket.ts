/** WebSockets that a handler of `(Request) => Response` opens: the answer is over at once, its lease when they close. */
import type { StopSignal } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import type { FetchResponse } from "./fetch-response.ts";

/** The status of an answer that opens one; some runtimes send it themselves. */
export const SWITCHING_PROTOCOLS = 101;

/** A WebSocket that was opened. */
export type OpenedSocket = {
  /** Calls once it is closed; left out where the runtime doesn't say. */
  readonly onClose?: (call: () => void) => void;
};

/** A runtime that opens a request's WebSocket itself, and not by what the handler answers. */
export type SocketOpener = {
  /** The WebSocket that was opened, if any. */
  opened(answer: FetchResponse | undefined): OpenedSocket | undefined;
};

/** Whether a request asks for a WebSocket, by its header `Upgrade`. Pure. */
export function asksForSocket(upgrade: string | null | undefined): boolean {
  return upgrade?.toLowerCase().includes("websocket") === true;
}

/** The WebSocket that was opened by an answer, if any. */
export function openedSocket(
  opener: SocketOpener | undefined,
  answer: FetchResponse | undefined,
): OpenedSocket | undefined {
  const opened = opener?.opened(answer);
  if (opened !== undefined) return opened;
  return answer?.status === SWITCHING_PROTOCOLS ? {} : undefined;
}

/** Whether an answer may stand for a WebSocket that the runtime has opened, as of Hono's helpers. Pure. */
export function isEmpty(answer: FetchResponse | undefined): boolean {
  return answer?.status === 200 && answer.body === null;
}

/** What is needed of Bun's server. */
type BunServer = { requestIP(request: object): object | null };

/** Bun's server, which it passes beside each request, alone or in an object. */
export function bunServerIn(beside: unknown): BunServer | undefined {
  const { server = beside } = (beside ?? {}) as { readonly server?: unknown };
  const { upgrade, requestIP } = (server ?? {}) as { upgrade?: unknown; requestIP?: unknown };
  const isServer = typeof upgrade === "function" && typeof requestIP === "function";
  return isServer ? (server as BunServer) : undefined;
}

/**
 * Bun has no address any more for a request that it has upgraded, and aborts its signal when the WebSocket closes. The
 * handler answers nothing then, or nearly: Hono's helper answers an empty response.
 */
export function bunOpener(
  server: BunServer,
  request: { readonly signal?: StopSignal },
): SocketOpener {
  // Over a Unix socket there never is one: an empty answer may be just that.
  const hadAddress = server.requestIP(request) !== null;
  const onClose = (call: () => void) => request.signal?.addEventListener("abort", call);
  return {
    opened(answer) {
      if (server.requestIP(request) !== null) return undefined;
      if (answer === undefined || answer.status === SWITCHING_PROTOCOLS) return { onClose };
      if (!isEmpty(answer)) return undefined;
      return hadAddress ? { onClose } : {};
    },
  };
}

/** A lease would be given back while the WebSocket is open. */
export function socketNotHeld(): SpillwayError {
  return new SpillwayError({
    code: "socket-not-held",
    expected: "a lease is to last until the WebSocket closes, and nothing says when that is",
    hint: 'Hold it: socket.addEventListener("close", request.spillway.hold())',
  });
}
