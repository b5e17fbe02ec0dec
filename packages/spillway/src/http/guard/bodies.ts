/**
 * Detects requests whose body lacks what a function of the route reads: a mistake of the client.
 */

import { type MaybePromise, rescued, textOf } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";

/** The state of a body: parsed, not sent, or sent but not parsed. */
export type BodyState = "parsed" | "absent" | "unread";

/** The state of a request's body; undefined if the framework keeps no body on its requests. */
export type BodyCarrier = { readonly body: BodyState | undefined };

/** The error of a request whose body lacks what a function of the route reads. */
export class MissingBodyError extends Error {
  constructor(cause: unknown) {
    super(`the request's body is missing, or lacks what a limit needs: ${textOf(cause)}`, {
      cause,
    });
  }
}

/** Whether the source text of a function names `body`. Its errors do not say what was undefined. */
export function namesBody(value: unknown): boolean {
  return typeof value === "function" && /\bbody\b/.test(Function.prototype.toString.call(value));
}

/** Returns the same function, whose TypeErrors become `MissingBodyError` if no body was sent. */
export function blamingBodies<R, C, T>(
  find: (request: R, client: C) => MaybePromise<T>,
): (request: R, client: C) => MaybePromise<T> {
  return (request, client) => {
    const fail = (error: unknown): never => {
      const isAbsent = (client as Partial<BodyCarrier>).body === "absent";
      throw error instanceof TypeError && isAbsent ? new MissingBodyError(error) : error;
    };
    return rescued(() => find(request, client), fail);
  };
}

/**
 * Returns the error to throw for invalid key parts. The client is at fault if its body was parsed
 * or was not sent.
 */
export function badParts(error: unknown, { body }: Partial<BodyCarrier>): unknown {
  const isBad = error instanceof SpillwayError && error.code === "bad-key";
  return isBad && (body === "parsed" || body === "absent") ? new MissingBodyError(error) : error;
}
