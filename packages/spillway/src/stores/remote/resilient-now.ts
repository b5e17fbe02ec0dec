import { abandon, abilities, notify } from "../../internal/index.ts";
import {
  type AnswerTo,
  type Command,
  SpillwayError,
  type Store,
  type StoreWithin,
  type Verb,
} from "../../limits/core/index.ts";
import type { Executor, RequestInfo } from "../port/executor.ts";
import { PortError } from "../port/request.ts";
import { Breaker } from "./breaker.ts";
import {
  answerTo,
  type ExecutorHooks,
  errorFrom,
  hooksOf,
  MalformedAnswer,
  noOutcome,
} from "./checked-executor.ts";
import { direct } from "./direct.ts";
import type { StoreEvent } from "./events.ts";
import { Fallback } from "./fallback.ts";
import type { ResilienceSettings } from "./options.ts";
import { PendingReleases } from "./pending-releases.ts";
import { pausedError } from "./unanswered.ts";

/** A node, and its breaker. */
type BreakerGroup = { readonly name: string; readonly breaker: Breaker };

/** The maximum number of releases kept until they are carried out. */
const MOST_RELEASES = 10_000;
/** The maximum number of releases at once, because they block everything else. */
const MOST_AT_ONCE = 256;

/** A store that answers at once, and blocks while it waits; see `resilient`. */
export class ResilientNow implements Store<"now"> {
  readonly timing = "now";
  readonly within?: (transaction: object) => StoreWithin<"now">;
  readonly #executor: Executor<"now">;
  readonly #hooks: ExecutorHooks;
  readonly #settings: ResilienceSettings;
  readonly #fallback: Fallback;
  readonly #nodes = new Map<string, BreakerGroup>();
  readonly #releases: PendingReleases;
  /** A release that is blocked, although the store answers. */
  #heldUp: Command | undefined;

  constructor(executor: Executor<"now">, settings: ResilienceSettings) {
    this.#executor = executor;
    this.#hooks = hooksOf(executor, settings.onEvent);
    this.#settings = settings;
    this.#fallback = new Fallback(settings);
    this.#releases = new PendingReleases({
      most: MOST_RELEASES,
      mostAtOnce: MOST_AT_ONCE,
      scheduler: settings.scheduler,
      send: async (budget, lease) => this.execute({ verb: "release", budgets: [budget], lease }),
      maySend: () => this.#nodeFor("release").breaker.permits() !== "none",
      overflowed: ({ plan }) => this.#emit({ type: "unreleased", limit: plan.limit }),
    });
    Object.assign(this, abilities(executor));
    if (executor.within !== undefined) this.within = (transaction) => direct(executor, transaction);
  }

  /** @throws SpillwayError `unavailable`; misuse of the database as the executor reports it. */
  execute<C extends Command>(command: C): AnswerTo<C> {
    if (this.#heldUp !== undefined) this.#releaseHeldUp();
    const { verb, budgets } = command;
    if (verb === "release" || verb === "renew") {
      if (this.#fallback.changeLease(verb, budgets[0], command.lease)) return true as AnswerTo<C>;
    }
    const node = this.#nodeFor(verb);
    const permitted = node.breaker.permits();
    const error = permitted === "none" ? pausedError(node) : this.#obstacle(command);
    if (error !== undefined) {
      this.#keepRelease(command);
      return this.#without(command, error, node);
    }
    try {
      const request = { ...REQUEST, isProbe: permitted === "probe" };
      const outcomes = this.#executor.execute([command], request);
      const answer = answerTo(command, Array.isArray(outcomes) ? outcomes[0] : noOutcome(outcomes));
      this.#succeeded(node);
      return answer;
    } catch (error) {
      this.#keepRelease(command);
      if (error instanceof SpillwayError) throw error;
      if (error instanceof PortError) return this.#disagree(command, error, node);
      const known = errorFrom(error);
      this.#failed(node, known);
      if (error instanceof MalformedAnswer) this.#release(command);
      return this.#without(command, known, node);
    }
  }

  #obstacle(command: Command): Error | undefined {
    const error = this.#hooks.obstacle?.(command);
    if (error !== undefined && command.verb === "release") this.#holdUp(command);
    return error;
  }

  /**
   * Tries the release again soon: most obstacles are gone once the running code ends. It does not
   * wait for a timer, because the program may end first.
   */
  #holdUp(command: Command): void {
    if (this.#heldUp === undefined) Promise.resolve().then(() => this.#releaseHeldUp());
    this.#heldUp = command;
  }

  /**
   * Carries out a blocked release first, if it is no longer blocked: the caller may wait for its
   * units.
   */
  #releaseHeldUp(): void {
    if (this.#heldUp === undefined || this.#hooks.obstacle?.(this.#heldUp) !== undefined) return;
    this.#heldUp = undefined;
    this.#releases.resume();
  }

  /** Keeps a release that was not carried out, to send it again. */
  #keepRelease(command: Command): void {
    if (command.verb === "release") this.#releases.failed(command.budgets[0], command.lease);
  }

  #nodeFor(verb: Verb): BreakerGroup {
    const name = this.#hooks.nodeOf?.(0, verb) ?? this.#executor.name;
    let node = this.#nodes.get(name);
    if (node === undefined) {
      node = { name, breaker: new Breaker(this.#settings.breaker, this.#settings.clock) };
      this.#nodes.set(name, node);
    }
    return node;
  }

  #succeeded({ name, breaker }: BreakerGroup): void {
    if (breaker.succeeded()) this.#emit({ type: "resumed", node: name });
  }

  /**
   * The store answers, so this is not an outage: the call is refused, even by limits that admit
   * during outages.
   */
  #disagree<C extends Command>(command: C, error: PortError, node: BreakerGroup): AnswerTo<C> {
    this.#emit({ type: "disagreed", node: node.name, error, calls: 1 });
    this.#succeeded(node);
    return this.#fallback.answer(command, { error, isOutage: false, retryAfter: 1 }) as AnswerTo<C>;
  }

  #failed({ name, breaker }: BreakerGroup, error: Error): void {
    this.#emit({ type: "failed", node: name, error, calls: 1 });
    if (this.#hooks.blamesNode?.(error) === false) return;
    if (breaker.failed()) this.#emit({ type: "paused", node: name, ...this.#settings.breaker });
    // The probe has failed as well.
    else if (breaker.permits() === "probe") breaker.probing();
  }

  /** Releases leases of a call that may have been granted although it failed. */
  #release(command: Command): void {
    if (command.verb !== "limit") return;
    for (const ask of command.budgets) {
      const { count, lease } = ask;
      if (lease === undefined || count === 0) continue;
      const held = { id: lease.id, count };
      try {
        abandon(
          this.#executor.execute([{ verb: "release", budgets: [ask], lease: held }], REQUEST),
        );
      } catch {
        this.#releases.failed(ask, held);
      }
    }
  }

  #without<C extends Command>(command: C, error: Error, { breaker }: BreakerGroup): AnswerTo<C> {
    const retryAfter = Math.max(1, breaker.pauseLeft());
    return this.#fallback.answer(command, { error, isOutage: true, retryAfter }) as AnswerTo<C>;
  }

  #emit(event: StoreEvent): void {
    notify(this.#settings.onEvent, event);
  }
}

/** No other call is waiting: this one is never late, and shares no request. */
const REQUEST: RequestInfo = { slot: 0, isProbe: false, isLate: () => false, observer: undefined };
