import { notify } from "../../internal/index.ts";
import type { Decision } from "../../limits/core/index.ts";
import type { PortError } from "../port/request.ts";
import type { Paused, Rounds } from "./breaker.ts";
import { MalformedAnswer } from "./checked-executor.ts";
import { LateError } from "./deadlines.ts";
import type { StoreEvent } from "./events.ts";
import type { Fallback } from "./fallback.ts";
import type { ResilienceSettings } from "./options.ts";
import type { PendingRelease, PendingReleases } from "./pending-releases.ts";
import type { MicroBatch, PendingCommand, StoreNode } from "./store-node.ts";

/** The settings of fallback decisions. */
type Settings = Pick<ResilienceSettings, "deadline" | "breaker" | "onEvent">;

/** Why commands have no answer. */
type UnansweredCause = {
  readonly node: StoreNode;
  readonly error: Error;
  /**
   * Whether the store is unavailable, so that each limit decides for itself; otherwise all refuse.
   */
  readonly isOutage: boolean;
};

/** How a request failed. */
type RequestFailure = {
  readonly node: StoreNode;
  readonly error: Error;
  /** The rounds of both breakers, of its node and of its slot. */
  readonly rounds: Rounds;
  /** Whether the failure concerns the whole node. */
  readonly isOfNode: boolean;
};

/**
 * Answers the commands that a store did not, each by its limit's `whenUnavailable`. Opens breakers,
 * reports events, and releases leases that the store may have granted.
 */
export class Unanswered {
  readonly #settings: Settings;
  readonly #fallback: Fallback;
  readonly #releases: PendingReleases;

  constructor(settings: Settings, fallback: Fallback, releases: PendingReleases) {
    this.#settings = settings;
    this.#fallback = fallback;
    this.#releases = releases;
  }

  /** Refuses the commands that exceed the queue of a node. */
  overflowed(node: StoreNode, most: number): void {
    const refused = node.refused.splice(0);
    this.emit({ type: "overflowed", node: node.name, calls: refused.length, most });
    const error = new Error(`${most} calls already wait to be sent to ${node.name}`);
    this.answer(refused, { node, error, isOutage: false });
  }

  /**
   * Handles a request that failed, or was late.
   *
   * @returns The leases that may be granted all the same, and are being released.
   */
  failed({ slot, all }: MicroBatch, failure: RequestFailure): readonly PendingRelease[] {
    const { node, error, rounds, isOfNode } = failure;
    this.emit({ type: "failed", node: node.name, error, calls: all.length });
    if (isOfNode) this.#pause(node, slot, node.breakers.failed(slot, rounds));
    // If a node answers one command with an error, the node itself works.
    else if (!(error instanceof LateError)) this.succeeded(node, slot);
    this.answer(all, { node, error, isOutage: true });
    return all.flatMap((one) => this.#release(one, false));
  }

  /** Answers everything that waits for a paused node, or for one of its slots. */
  #pause(node: StoreNode, slot: number, paused: Paused | undefined): void {
    if (paused === undefined) return;
    this.emit({ type: "paused", ...node.placeOf(slot, paused), ...this.#settings.breaker });
    const waiting = node.drain(paused === "slot" ? slot : undefined);
    this.answer(waiting, { node, error: pausedError(node), isOutage: true });
  }

  /** Handles one command of a request that was answered with an error, or with no valid answer. */
  failedAlone(one: PendingCommand, error: Error, node: StoreNode): void {
    this.emit({ type: "failed", node: node.name, error, calls: 1 });
    this.answer([one], { node, error, isOutage: true });
    if (error instanceof MalformedAnswer) this.#release(one, true);
  }

  /**
   * Handles a disagreement about arithmetic. The store answers, so this is not an outage: its calls
   * are refused, even by limits that admit during outages. Other calls are not affected.
   */
  disagreed({ slot, all }: MicroBatch, error: PortError, node: StoreNode): void {
    this.emit({ type: "disagreed", node: node.name, error, calls: all.length });
    this.succeeded(node, slot);
    this.answer(all, { node, error, isOutage: false });
    for (const one of all) this.#release(one, true);
  }

  /** Handles an answer of a node. If it, or the slot, was paused, it is asked again. */
  succeeded(node: StoreNode, slot: number): void {
    const resumed = node.breakers.succeeded(slot);
    if (resumed === undefined) return;
    this.emit({ type: "resumed", ...node.placeOf(slot, resumed) });
    this.#releases.resume();
  }

  /** Answers commands without the store, or rejects those without a fallback. */
  answer(pending: readonly PendingCommand[], { node, error, isOutage }: UnansweredCause): void {
    const { deadline } = this.#settings;
    for (const { command, slot, isOne, resolve, reject } of pending) {
      const retryAfter = Math.max(node.breakers.pauseLeft(slot), deadline);
      if (command.verb === "release") this.#releases.failed(command.budgets[0], command.lease);
      try {
        const answer = this.#fallback.answer(command, { error, isOutage, retryAfter });
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
   * Releases the leases of a call whose result is unknown, because the store may have granted them.
   *
   * @param isDecided Whether the store has answered, so that it grants none any more.
   */
  #release({ command }: PendingCommand, isDecided: boolean): readonly PendingRelease[] {
    if (command.verb !== "limit") return [];
    return command.budgets.flatMap((ask) => {
      const { count, lease } = ask;
      if (lease === undefined || count === 0) return [];
      return this.#releases.giveBack(ask, { id: lease.id, count }, isDecided) ?? [];
    });
  }
}

/** Returns the error for calls on a paused node, which the node did not cause itself. */
export function pausedError({ name }: { readonly name: string }): Error {
  return new Error(`${name} has failed, and calls to it are paused`);
}
