/** Answers refusals by a route's function that writes to a response of `node:http`, at any time. */
import { chain, type MaybePromise, onceClosed } from "../../internal/index.ts";
import type { Guard } from "./guard.ts";
import { isGone, type NodeResponse } from "./node-response.ts";

/** A refused request, the function that answers it, and the fallback. */
type OwnResponse<R> = {
  readonly guard: Guard<R>;
  readonly request: R;
  readonly response: NodeResponse;
  /** Calls the route's function. */
  readonly call: () => unknown;
  /**
   * Answers in place of the function. Called only if no response was sent and the client is
   * connected.
   */
  readonly otherwise: () => void;
  /** Receives the error that the function threw. Default: `otherwise` answers. */
  readonly thrown?: ((error: Error) => void) | undefined;
};

/**
 * Answers a refusal by the route's function, or by `otherwise` if no response has begun in time.
 */
export function respondByOwn<R>(own: OwnResponse<R>): MaybePromise<void> {
  const { guard, request, response, call, thrown } = own;
  const hasBegun = () => response.headersSent || isGone(response);
  const begun = () => {
    if (hasBegun()) return undefined;
    return new Promise<void>((resolve) => onceClosed(response, resolve));
  };
  const otherwise = () => {
    try {
      if (!isGone(response)) own.otherwise();
    } catch {
      response.destroy();
    }
  };
  const answering = () => chain(call(), begun);
  return guard.answer<void>(request, { call: answering, otherwise, hasBegun, thrown });
}
