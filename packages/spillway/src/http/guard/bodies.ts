/** Bodies of requests that do not have what a function of the route reads: a mistake of the client. */

import { type Maybe, rescued, textOf } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";

/** A body is read already, or was not sent, or was sent and is not read. */
export type BodyState = "parsed" | "absent" | "unread";

/** What is known of a request's body; undefined where the framework has none on its requests. */
export type WithBody = { readonly body: BodyState | undefined };

/** That a request does not have what a function reads of its body. */
export class BodyLacks extends Error {
  constructor(cause: unknown) {
    super(`the request's body is missing, or lacks what a limit needs: ${textOf(cause)}`, {
      cause,
    });
  }
}

/** Whether a function reads `body`, by its own text: what it throws does not say what was undefined. */
export function namesBody(value: unknown): boolean {
  return typeof value === "function" && /\bbody\b/.test(Function.prototype.toString.call(value));
}

/** The same function; its TypeError is `BodyLacks` where no body was sent. */
export function blamingBodies<R, C, T>(
  find: (request: R, client: C) => Maybe<T>,
): (request: R, client: C) => Maybe<T> {
  return (request, client) => {
    const fail = (error: unknown): never => {
      const isAbsent = (client as Partial<WithBody>).body === "absent";
      throw error instanceof TypeError && isAbsent ? new BodyLacks(error) : error;
    };
    return rescued(() => find(request, client), fail);
  };
}

/** What to throw for parts that make no key: of a body that was read, or was not sent, the client is at fault. */
export function badParts(error: unknown, { body }: Partial<WithBody>): unknown {
  const isBad = error instanceof SpillwayError && error.code === "bad-key";
  return isBad && (body === "parsed" || body === "absent") ? new BodyLacks(error) : error;
}
