import type { Decision } from "../../core/index.ts";
import { notify } from "../../internal/index.ts";
import type { PortError } from "../port/request.ts";
import type { BreakerSettings } from "./breaker.ts";
import { MalformedAnswer } from "./checked-executor.ts";
import { LateError } from "./deadlines.ts";
import type { OnEvent, StoreEvent } from "./events.ts";
import type { Fallback } from "./fallback.ts";
import type { PendingRelease, PendingReleases } from "./pending-releases.ts";
import type { Pending, StoreNode } from "./store-node.ts";

/** What decides for commands that have no answer. */
export type UnansweredSettings = {
  /** Milliseconds after which an answer is no longer waited for. */
  readonly deadline: number;
  readonly breaker: BreakerSettings;
  readonly fallback: Fallback;
  readonly onEvent: OnEvent | undefined;
};

/** Why commands have no answer. */
type Cause = {
  readonly node: StoreNode;
  readonly error: Error;
  /** Whether the store is away, so that each limit decides for itself; else all refuse. */
  readonly isOutage: boolean;
};

/** How a request failed. */
type Failure = {
  readonly node: StoreNode;
  readonly error: Error;
  /** What the node's breaker counts the request to. */
  readonly round: number;
  /** Whether that says something of the whole node. */
  readonly isOfNode: boolean;
};

/**
 * Answers the commands that a store did not: each by its limit's `whenUnavailable`. Opens breakers, reports
 * what happened, and has leases released that the store may have granted.
 */
export class Unanswered {
  readonly #settings: UnansweredSettings;
  readonly #releases: PendingReleases;

  constructor(settings: UnansweredSettings, releases: PendingReleases) {
    this.#settings = settings;
    this.#releases = releases;
  }

  /** More was asked than may wait: what is too much is refused. */
  overflowed(node: StoreNode, most: number): void {
    const refused = node.refused.splice(0);
    this.emit({ type: "overflowed", node: node.name, calls: refused.length, most });
    const error = new Error(`${most} calls wait to be sent to ${node.name} already`);
    this.answer(refused, { node, error, isOutage: false });
  }

  /**
   * A request failed, or was late.
   *
   * @returns The leases that may be granted all the same, and are released.
   */
  failed(
    pending: readonly Pending[],
    { node, error, round, isOfNode }: Failure,
  ): readonly PendingRelease[] {
    this.emit({ type: "failed", node: node.name, error, calls: pending.length });
    if (isOfNode && node.breaker.failed(round)) {
      this.emit({ type: "paused", node: node.name, ...this.#settings.breaker });
      this.answer(node.drain(), { node, error: pausedError(node), isOutage: true });
    }
    // What a node says of a command alone, it says: it is well.
    if (!isOfNode && !(error instanceof LateError) && node.breaker.succeeded()) this.resumed(node);
    this.answer(pending, { node, error, isOutage: true });
    return pending.flatMap((one) => this.#release(one, false));
  }

  /** The store answered one command of a request with an error, or with nothing that is an answer. */
  failedAlone(one: Pending, error: Error, node: StoreNode): void {
    this.emit({ type: "failed", node: node.name, error, calls: 1 });
    this.answer([one], { node, error, isOutage: true });
    if (error instanceof MalformedAnswer) this.#release(one, true);
  }

  /**
   * The store's arithmetic and ours disagree. It answers, so that this is no outage: nothing is
   * admitted for it, whatever limits say of outages, and nobody else is concerned.
   */
  disagreed(pending: readonly Pending[], error: PortError, node: StoreNode): void {
    this.emit({ type: "disagreed", node: node.name, error, calls: pending.length });
    if (node.breaker.succeeded()) this.resumed(node);
    this.answer(pending, { node, error, isOutage: false });
    for (const one of pending) this.#release(one, true);
  }

  /** A node that had failed has answered, and is asked again. */
  resumed({ name }: StoreNode): void {
    this.emit({ type: "resumed", node: name });
    this.#releases.resume();
  }

  /** Answers commands without the store, or rejects those that have no such answer. */
  answer(pending: readonly Pending[], { node, error, isOutage }: Cause): void {
    const { fallback, deadline } = this.#settings;
    const retryAfter = Math.max(node.breaker.pauseLeft(), deadline);
    for (const { command, isOne, resolve, reject } of pending) {
      if (command.verb === "release") this.#releases.failed(command.budgets[0], command.lease);
      try {
        const answer = fallback.answer(command, { error, isOutage, retryAfter });
        resolve((isOne ? (answer as readonly Decision[])[0] : answer) as never);
      } catch (thrown) {
        reject(thrown as Error);
      }
    }
  }

  emit(event: StoreEvent): void {
    notify(this.#settings.onEvent, event);
  }

  /**
   * Releases the leases of an ask that nobody will know of: the store may have granted them all the same.
   *
   * @param isDecided Whether it has answered, so that it grants none any more.
   */
  #release({ command }: Pending, isDecided: boolean): readonly PendingRelease[] {
    if (command.verb !== "limit") return [];
    return command.budgets.flatMap((ask) => {
      const { count, lease } = ask;
      if (lease === undefined || count === 0) return [];
      return this.#releases.giveBack(ask, { id: lease.id, count }, isDecided) ?? [];
    });
  }
}

/** Why a node that has failed has no answers, until a probe succeeds: not a failure of its own. */
export function pausedError({ name }: { readonly name: string }): Error {
  return new Error(`${name} has failed and is not asked for the moment`);
}
