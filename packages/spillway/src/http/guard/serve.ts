/** Handles a request after its limits have decided, in the same order in every framework. */

import { isPromised, type MaybePromise } from "../../internal/index.ts";
import type { AnyPassage } from "./passage.ts";
import type { Refusal } from "./refusal.ts";

/**
 * The functions of one framework. Their return values are passed back to the framework.
 *
 * An exchange is what the framework passes to a middleware for one request.
 */
export type FrameworkAdapter<X, A> = {
  /** Stores the decision where the program looks for it. */
  decided(exchange: X, passage: AnyPassage): void;
  /** Whether a response can no longer be received. */
  isGone(exchange: X): boolean;
  /** Ends an exchange whose client has disconnected or was already answered. */
  leave(exchange: X): A;
  /** Answers a refusal, or leaves that to the route's own function or to the framework. */
  refuse(exchange: X, refusal: Refusal): A;
  /** Adds the headers of a passage, ends it with the response, and calls the handler. */
  pass(exchange: X, passage: AnyPassage): A;
};

/** Continues an exchange with the guard's passage: synchronously, if it is not a promise. */
export function serve<X, A>(
  adapter: FrameworkAdapter<X, A>,
  exchange: X,
  entered: MaybePromise<AnyPassage>,
): MaybePromise<A> {
  if (!isPromised(entered)) return proceed(adapter, exchange, entered);
  return entered.then((passage) => proceed(adapter, exchange, passage));
}

function proceed<X, A>(adapter: FrameworkAdapter<X, A>, exchange: X, passage: AnyPassage): A {
  let isGone = true;
  try {
    adapter.decided(exchange, passage);
    isGone = adapter.isGone(exchange);
  } finally {
    // Also if `decided` or `isGone` throws, because nothing else would end the lease.
    if (isGone) passage.over(undefined);
  }
  if (isGone) return adapter.leave(exchange);
  const { refusal } = passage;
  return refusal === undefined
    ? adapter.pass(exchange, passage)
    : adapter.refuse(exchange, refusal);
}
