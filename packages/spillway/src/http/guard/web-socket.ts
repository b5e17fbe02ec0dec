/**
 * Detects WebSockets that a handler of `(Request) => Response` opens.
 *
 * The response is over at once, its lease when the WebSocket closes.
 */
import type { StopSignal } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import type { FetchResponse } from "./fetch-response.ts";

/** The status of a response that opens a WebSocket. Some runtimes send it themselves. */
export const SWITCHING_PROTOCOLS = 101;

/** An open WebSocket. */
export type OpenedSocket = {
  /** Calls a function once the WebSocket is closed. Left out if the runtime does not report it. */
  readonly onClose?: (call: () => void) => void;
};

/** A runtime that opens a request's WebSocket itself, rather than by the handler's response. */
export type SocketOpener = {
  /** Returns the WebSocket that was opened; undefined if none was. */
  opened(answer: FetchResponse | undefined): OpenedSocket | undefined;
};

/** Whether a request asks for a WebSocket, by its `Upgrade` header. Pure. */
export function asksForSocket(upgrade: string | null | undefined): boolean {
  return upgrade?.toLowerCase().includes("websocket") === true;
}

/** Returns the WebSocket that a response opened; undefined if it opened none. */
export function openedSocket(
  opener: SocketOpener | undefined,
  answer: FetchResponse | undefined,
): OpenedSocket | undefined {
  const opened = opener?.opened(answer);
  if (opened !== undefined) return opened;
  return answer?.status === SWITCHING_PROTOCOLS ? {} : undefined;
}

/**
 * Whether a response is empty, as Hono's helper returns it after the runtime opened a WebSocket.
 * Pure.
 */
export function isEmpty(answer: FetchResponse | undefined): boolean {
  return answer?.status === 200 && answer.body === null;
}

/** The used part of Bun's server. */
type BunServer = { requestIP(request: object): object | null };

/** Finds Bun's server in the value that it passes beside each request: alone, or in an object. */
export function bunServerIn(beside: unknown): BunServer | undefined {
  const { server = beside } = (beside ?? {}) as { readonly server?: unknown };
  const { upgrade, requestIP } = (server ?? {}) as { upgrade?: unknown; requestIP?: unknown };
  const isServer = typeof upgrade === "function" && typeof requestIP === "function";
  return isServer ? (server as BunServer) : undefined;
}

/**
 * Detects WebSockets on Bun, where an upgraded request no longer has an address.
 *
 * Bun aborts the request's signal when the WebSocket closes. The handler then returns undefined, or
 * an empty response, as Hono's helper does.
 */
export function bunOpener(
  server: BunServer,
  request: { readonly signal?: StopSignal },
): SocketOpener {
  // Over a Unix socket, requests never have an address, so an empty response may be an ordinary
  // one.
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

/** Returns the error for a lease that would be released while its WebSocket is still open. */
export function socketNotHeld(): SpillwayError {
  return new SpillwayError({
    code: "socket-not-held",
    expected: "the lease must last until the WebSocket closes, but nothing reports the close",
    hint: 'Hold it: socket.addEventListener("close", request.spillway.hold())',
  });
}
