/** Converts a refusal to the close frame of an open WebSocket. */
import type { Decision } from "../../limits/core/index.ts";

/** A close frame (RFC 6455, 5.5.1): a code, and a reason of at most 123 bytes. */
export type Close = { readonly code: 1008 | 1009 | 1013; readonly reason: string };

/**
 * Returns how to close a WebSocket after a refusal. Pure.
 *
 * 1008 (policy) if the client caused the refusal. 1009 (too big) if no wait helps the message. 1013
 * (try again later) if the client did not cause it.
 */
export function closeOf({ reason, retryAfter }: Pick<Decision, "reason" | "retryAfter">): Close {
  if (reason === "too large") return { code: 1009, reason: "message too big" };
  const code = reason === "shed" || reason === "unavailable" ? 1013 : 1008;
  const seconds = Math.ceil(retryAfter / 1000);
  return { code, reason: Number.isFinite(seconds) ? `retry after ${seconds} s` : "" };
}
