/** Admits a connection once its limits are decided, and detects its end. */

import {
  type AnyPassage,
  type FrameworkAdapter,
  type Guard,
  type Passage,
  type Refusal,
  type RouteLimits,
  serve,
} from "../../http/guard/index.ts";
import { checkWhole, isPromised, notify } from "../../internal/index.ts";
import { type Decision, decisionOf, SECOND } from "../../limits/core/index.ts";
import type { Connection } from "../contracts.ts";
import { ignore } from "./dismissals.ts";

/** A connection that has arrived, or that requests an upgrade. */
export type Arrival<R> = {
  readonly request: R;
  readonly socket: Connection;
  /** Passes it to its listeners; without a passage if nothing was decided. */
  readonly pass: (passage?: AnyPassage) => void;
  /** Receives the refusal, if the connection is refused. */
  readonly refuse: (refusal: Refusal) => void;
  /** Receives the refusal, if too many connections wait for a decision. */
  readonly overflow: (refusal: Decision) => void;
};

/** The options of a route that apply to connections refused without a decision. */
export type OverflowSettings<R> = Pick<RouteLimits<R>, "shadow" | "onEvent"> & {
  readonly maxPending?: number | undefined;
};

/** Decides connections by a guard, and bounds how many wait for a decision. */
export class ConnectionAdmitter<R> {
  readonly #guard: Guard<R>;
  readonly #maxPending: number;
  readonly #route: OverflowSettings<R>;
  #pending = 0;

  /** @throws SpillwayError `bad-option` if `maxPending` is invalid */
  constructor(guard: Guard<R>, route: OverflowSettings<R>) {
    const { maxPending = 1000 } = route;
    checkWhole("maxPending", maxPending, { most: 1e6 });
    this.#guard = guard;
    this.#maxPending = maxPending;
    this.#route = route;
  }

  enter(arrival: Arrival<R>): void {
    if (this.#pending >= this.#maxPending) {
      this.#overflow(arrival);
      return;
    }
    const passage = this.#guard.enter(arrival.request);
    if (isPromised(passage)) this.#hold(arrival, passage);
    else serve(adapter, arrival, passage);
  }

  /**
   * Waits for the decision. The socket is not read, so nothing is parsed, and it buffers up to its
   * own bound.
   */
  #hold(arrival: Arrival<R>, passage: Promise<Passage<R>>): void {
    const { socket } = arrival;
    this.#pending++;
    socket.on("error", ignore);
    void passage.then((found) => {
      this.#pending--;
      socket.removeListener("error", ignore);
      serve(adapter, arrival, found);
    });
  }

  #overflow({ request, pass, overflow }: Arrival<R>): void {
    const { shadow = false, onEvent } = this.#route;
    const decision = this.#tooMany;
    notify(onEvent, { type: "refused", request, decision, shadow });
    if (shadow) pass();
    else overflow(decision);
  }

  get #tooMany(): Decision {
    const limit = { limit: "maxPending", capacity: this.#maxPending };
    const wait = { retryAfter: SECOND, resetAfter: SECOND };
    return decisionOf(limit, { remaining: 0, ...wait, reason: "shed" });
  }
}

const adapter: FrameworkAdapter<Arrival<never>, void> = {
  decided() {},
  // Its end was already reported, so it must not get a lease.
  isGone: ({ socket }) => socket.destroyed || socket.readableEnded === true,
  leave({ socket }) {
    socket.destroy();
  },
  refuse: ({ refuse }, refusal) => refuse(refusal),
  pass({ socket, pass }, passage) {
    if (passage.isWatched) socket.once("close", () => passage.over(undefined));
    pass(passage);
  },
};
