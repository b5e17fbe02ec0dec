import { type Closing, onceClosed, queuedOn } from "./on-close.ts";
import { type LostSignal, stopper } from "./stop-signal.ts";

/** What is needed of a response of `node:http` or `node:http2`. */
export type ClosingResponse = Closing & {
  readonly destroyed?: boolean;
  readonly writableEnded: boolean;
};

/** One for all: an error made for each would cost more than the rest. */
const GONE = new Error("the client has gone: its connection closed before it was answered");

/**
 * A signal that aborts when a client has gone: its connection closed before the response was ended.
 *
 * For `admit({ signal })`, by which work that waits is withdrawn, and for what the work itself asks
 * of others, such as `fetch`. Make one for each request, at its beginning. Of `node:http`,
 * `node:http2`, and frameworks that pass their responses on (`reply.raw` of Fastify).
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
