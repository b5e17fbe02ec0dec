/** What a refusal is on a WebSocket that is open. */
import type { Decision } from "../../limits/core/index.ts";

/** A close frame (RFC 6455, 5.5.1): a code, and a reason of at most 123 bytes. */
export type Close = { readonly code: 1008 | 1009 | 1013; readonly reason: string };

/**
 * How a WebSocket is closed for a refusal: 1008 (policy) for what the client has done, 1009 (too big)
 * where no wait helps a message, 1013 (try again later) for what it has not. Pure.
 */
export function closeOf({ reason, retryAfter }: Pick<Decision, "reason" | "retryAfter">): Close {
  if (reason === "too large") return { code: 1009, reason: "message too big" };
  const code = reason === "shed" || reason === "unavailable" ? 1013 : 1008;
  const seconds = Math.ceil(retryAfter / 1000);
  return { code, reason: Number.isFinite(seconds) ? `retry after ${seconds} s` : "" };
}
