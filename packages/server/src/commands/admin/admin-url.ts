/** The place of an administration listener. */
import { InvalidArgumentError } from "commander";

/** A URL, or the path of a Unix socket. */
export type AdminUrl =
  | { readonly url: string; readonly socket?: undefined }
  | { readonly socket: string; readonly url?: undefined };

const SOCKET = "unix:";

/** Parses `http://127.0.0.1:9090`, `https://…` or `unix:/run/spillway.sock`. */
export function toAdminUrl(text: string): AdminUrl {
  const socket = text.startsWith(SOCKET) ? text.slice(SOCKET.length) : "";
  if (socket !== "") return { socket };
  const isHttp = /^https?:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text);
  if (isHttp) return { url: new URL(text).origin };
  throw new InvalidArgumentError(
    "Expected http://127.0.0.1:9090, https://… or unix:/run/spillway/admin.sock.",
  );
}

/** Shows a place as it was written. */
export function shownUrl({ url, socket }: AdminUrl): string {
  return url ?? `${SOCKET}${socket}`;
}
