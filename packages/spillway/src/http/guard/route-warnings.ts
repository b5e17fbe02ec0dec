/**
 * Reports to the program: failures go to `onEvent`, and each mistake in a route causes one warning.
 */

import { notify, textOf, warningsTo } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import { timersEndWithRequests, type Warn } from "../../limits/core/index.ts";
import { RouteFailure } from "./calls.ts";
import type { OnRouteEvent } from "./events.ts";
import { Passage } from "./passage.ts";
import type { RouteDecision, RouteOptions } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";
import { socketNotHeld } from "./web-socket.ts";

const NO_DEADLINE =
  "the store did not answer within a route's `timeout`: give the store a shorter deadline, so " +
  "that limits decide by their `whenUnavailable`";

const NOT_SKIPPED =
  "`skip` of a route returned a value other than true, so the request is limited. Return " +
  "true or false";

/** Reports failures and mistakes of a route. */
export class RouteWarnings<R> {
  readonly #onEvent: OnRouteEvent<R> | undefined;
  readonly #shadow: boolean | undefined;
  readonly #warn: Warn;
  readonly #warned = new Set<string>();

  constructor({ onEvent, shadow, warn }: RouteOptions<R>) {
    this.#onEvent = onEvent;
    this.#shadow = shadow;
    this.#warn = warningsTo(warn);
  }

  /** Reports a failure to `onEvent`. Without `onEvent`, warns once for each field. */
  failed(request: R, { field, error, timedOut }: RouteFailure): void {
    const type = timedOut ? "timed out" : "failed";
    if (this.#onEvent !== undefined) notify(this.#onEvent, { type, request, field, error });
    else
      this.#once({
        what: `${type} ${field}`,
        message: `${field} of a route ${type}: ${textOf(error)}`,
      });
    if (timedOut && field === "store") this.#once({ what: "store", message: NO_DEADLINE });
  }

  notSkipped(): void {
    this.#once({ what: "skip", message: NOT_SKIPPED });
  }

  /** Warns if an earlier route has asked the same limiter for the same budget. */
  countedTwice(
    limiter: AnyLimiter,
    asks: readonly RouteAsk[],
    previous: RouteDecision | undefined,
  ): void {
    for (let each = previous; each instanceof Passage; each = each.previous) {
      const twice = asks.find((ask) => (each as Passage<R>).asked(limiter, ask));
      if (twice === undefined) continue;
      this.#once({
        what: "twice",
        message:
          `one request is counted twice under the limit "${twice.limit}", by two routes ` +
          "with the same key: remove one of them",
      });
    }
  }

  /**
   * Reports a WebSocket whose lease is not held. Returns whether the lease is kept for good.
   *
   * Workers can still refuse the WebSocket, so this throws there. Deno can't: a client with another
   * response would wait forever.
   */
  keepsForgotten(request: R): boolean {
    const error = socketNotHeld();
    this.failed(request, new RouteFailure("hold", error));
    if (this.#shadow) return false;
    if (timersEndWithRequests) throw error;
    return true;
  }

  #once({ what, message }: { readonly what: string; readonly message: string }): void {
    if (this.#warned.has(what)) return;
    this.#warned.add(what);
    this.#warn(message);
  }
}
