/** Refusals that a route's own function writes to a response of `node:http`, which may happen at any time. */
import { chain, type Maybe, onceClosed } from "../../internal/index.ts";
import type { Guard } from "./guard.ts";
import { isGone, type NodeResponse } from "./node-response.ts";

/** Who answers, and who does if that fails. */
type OwnResponse<R> = {
  readonly guard: Guard<R>;
  readonly request: R;
  readonly response: NodeResponse;
  /** Calls the route's function. */
  readonly call: () => unknown;
  /** Answers in its place; only if nobody has, and somebody waits. */
  readonly otherwise: () => void;
  /** Receives what it threw. Default: `otherwise` answers. */
  readonly thrown?: ((error: Error) => void) | undefined;
};

/** Has a route's function answer a refusal: what has not begun in time is answered in its place. */
export function respondByOwn<R>(own: OwnResponse<R>): Maybe<void> {
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
