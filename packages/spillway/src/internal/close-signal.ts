import { type ClosableResponse, onceClosed, queuedOn } from "./on-close.ts";
import { type LostSignal, stopper } from "./stop-signal.ts";

/** The members used of a response of `node:http` or `node:http2`. */
export type ClosingResponse = ClosableResponse & {
  readonly destroyed?: boolean;
  readonly writableEnded: boolean;
};

/** Shared by all requests: an error for each would cost more than everything else here. */
const GONE = /* @__PURE__ */ new Error("the client disconnected before the response");

/**
 * Returns a signal that aborts if the client disconnects before its response is ended.
 *
 * Use it for `admit({ signal })`, which then withdraws waiting work, and for the work's own calls,
 * such as `fetch`. Create one for each request, at its beginning. Works with `node:http`,
 * `node:http2`, and frameworks that expose their responses (Fastify's `reply.raw`).
 */
export function closeSignal(response: ClosingResponse): LostSignal {
  const { signal, stop } = stopper();
  const close = () => {
    if (!response.writableEnded) stop(GONE);
  };
  const { destroyed, stream } = response;
  if (destroyed || stream?.destroyed || queuedOn(response)?.destroyed) close();
  else onceClosed(response, close);
  return signal;
}
