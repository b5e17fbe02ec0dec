/** What becomes of a request once its limits are decided, in the order that every framework keeps. */

import { isPromised, type Maybe } from "../../internal/index.ts";
import type { AnyPassage } from "./passage.ts";
import type { Refusal } from "./refusal.ts";

/**
 * A framework's own part. An exchange is what it passes to a middleware for one request; what the functions return is
 * returned to it.
 */
export type Host<X, A> = {
  /** Puts the decision where the program looks for it. */
  decided(exchange: X, passage: AnyPassage): void;
  /** Whether nobody waits for an answer any more. */
  isGone(exchange: X): boolean;
  /** Ends an exchange that nobody waits for. */
  leave(exchange: X): A;
  /** Answers a refusal, or has the route's own function or the framework answer it. */
  refuse(exchange: X, refusal: Refusal): A;
  /** Adds the headers of a passage, has it end with the answer, and lets the handler answer. */
  pass(exchange: X, passage: AnyPassage): A;
};

/** Goes on with what a guard has answered for an exchange: at once, where it has answered at once. */
export function serve<X, A>(host: Host<X, A>, exchange: X, entered: Maybe<AnyPassage>): Maybe<A> {
  if (!isPromised(entered)) return proceed(host, exchange, entered);
  return entered.then((passage) => proceed(host, exchange, passage));
}

function proceed<X, A>(host: Host<X, A>, exchange: X, passage: AnyPassage): A {
  let isGone = true;
  try {
    host.decided(exchange, passage);
    isGone = host.isGone(exchange);
  } finally {
    // Where an exchange can't be asked as well: nothing else would end its lease.
    if (isGone) passage.over(undefined);
  }
  if (isGone) return host.leave(exchange);
  const { refusal } = passage;
  return refusal === undefined ? host.pass(exchange, passage) : host.refuse(exchange, refusal);
}
