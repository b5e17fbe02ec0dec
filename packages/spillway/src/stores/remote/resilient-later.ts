import type {
  AnswerTo,
  Ask,
  Budget,
  Command,
  Decision,
  Observer,
  Store,
} from "../../limits/core/index.ts";
import type { CommandOutcome, Executor } from "../port/executor.ts";
import { PortError } from "../port/request.ts";
import { type Rounds, SlotBreakers } from "./breaker.ts";
import {
  answerTo,
  countError,
  type ExecutorHooks,
  errorFrom,
  hooksOf,
  slotIn,
} from "./checked-executor.ts";
import { Deadlines, type DeadlineWait, LateError } from "./deadlines.ts";
import { Fallback } from "./fallback.ts";
import { onSeveral } from "./multi-slot.ts";
import { both } from "./observers.ts";
import { OptionalMembers } from "./optional-members.ts";
import type { ResilienceSettings } from "./options.ts";
import { type PendingRelease, PendingReleases } from "./pending-releases.ts";
import { registerLater } from "./resilient-register.ts";
import { MicroBatch, type PendingCommand, StoreNode } from "./store-node.ts";
import { pausedError, Unanswered } from "./unanswered.ts";

/** A request that was sent. */
type StoreRequest = {
  readonly node: StoreNode;
  readonly batch: MicroBatch;
  /** The rounds of both breakers, of its node and of its slot. */
  readonly rounds: Rounds;
  /** Whether its commands are sent for the first time. */
  readonly isFirst: boolean;
  /** Leases that the store may grant although their calls have been answered. */
  lost: readonly PendingRelease[];
};

/** How a request is sent. */
type SendingOptions = {
  /** The end of the wait, if it is the rest of an earlier deadline. */
  readonly until?: number;
  readonly isProbe?: boolean;
};

/** The maximum number of commands waiting for one node. */
const MOST_WAITING = 100_000;
/** The maximum number of releases kept until they are confirmed. */
const MOST_RELEASES = 10_000;
/** The default for executors that don't define how much one request may contain. */
const MOST_BUDGETS = 128;
const MOST_IN_FLIGHT = 1024;

/**
 * A store that answers later; see `resilient`. Sends the commands of one turn of the event loop
 * together. Every command is answered by its deadline; if the store fails, without the store.
 */
export class ResilientLater extends OptionalMembers<"later"> implements Store<"later"> {
  readonly timing = "later";
  readonly #executor: Executor<"later">;
  readonly #settings: ResilienceSettings;
  readonly #hooks: ExecutorHooks;
  readonly #fallback: Fallback;
  readonly #nodes = new Map<string, StoreNode>();
  readonly #deadlines: Deadlines;
  readonly #unanswered: Unanswered;
  readonly #releases: PendingReleases;
  /** Called when a request is sent. Returns the observer that receives its results. */
  #observe: (() => Observer) | undefined;
  /** Commands of this turn. */
  #gathered: PendingCommand[] = [];
  /** Requests that are in flight, or were until this turn. */
  #underWay = 0;

  constructor(executor: Executor<"later">, settings: ResilienceSettings) {
    super(executor, registerLater(executor, settings));
    const { deadline, firstDeadline, scheduler } = settings;
    this.#executor = executor;
    this.#settings = settings;
    this.#hooks = hooksOf(executor, settings.onEvent);
    this.#fallback = new Fallback(settings);
    this.#deadlines = new Deadlines(deadline, scheduler, firstDeadline);
    this.#releases = new PendingReleases({
      most: MOST_RELEASES,
      scheduler,
      send: (budget, lease) => this.#ask({ verb: "release", budgets: [budget], lease }),
      maySend: (budget) => {
        const slot = this.#hooks.slotOf?.(budget) ?? 0;
        return this.#nodeAt(slot).breakers.permits(slot) !== "none";
      },
      overflowed: ({ plan }) => this.#unanswered.emit({ type: "unreleased", limit: plan.limit }),
    });
    this.#unanswered = new Unanswered(settings, this.#fallback, this.#releases);
  }

  limit(ask: Ask): Promise<Decision> {
    return this.#ask({ verb: "limit", budgets: [ask] }, true);
  }

  execute<C extends Command>(command: C): Promise<AnswerTo<C>> {
    const { verb, budgets } = command;
    if (budgets.length > 1) return this.#onSeveral(command) as Promise<AnswerTo<C>>;
    const isOfLease = verb === "release" || verb === "renew";
    // The lease may have been granted in this process, while the store was unavailable.
    const isDone = isOfLease && this.#fallback.changeLease(verb, budgets[0], command.lease);
    return isDone ? Promise.resolve(true as AnswerTo<C>) : this.#ask(command);
  }

  /** Several caches may observe one store. */
  observe(begin: () => Observer): void {
    const known = this.#observe;
    this.#observe = known === undefined ? begin : () => both(known(), begin());
  }

  /**
   * Carries out a command whose budgets are all in one slot. It is sent at the end of the turn; if
   * nothing is in flight, as soon as the running code ends, because few calls share a turn then.
   * Callers that were answered in this turn may all call again in it, so their request still counts
   * as in flight. The only request does not if it had one command.
   *
   * @param isOne Whether the answer is one decision, and not a list.
   */
  #ask<T>(command: Command, isOne = false): Promise<T> {
    const executor = this.#executor;
    // Errors thrown here belong to the caller: a function for tags is part of the program.
    const slot = executor.slotOf === undefined ? 0 : slotIn(executor, command.budgets[0] as Budget);
    return new Promise((resolve, reject) => {
      const asked = this.#gathered.push({ command, slot, isOne, resolve, reject });
      if (asked > 1) return;
      if (this.#underWay === 0) Promise.resolve().then(this.#dispatch);
      else this.#settings.scheduler.afterTurn(this.#dispatch);
    });
  }

  async #onSeveral(command: Command): Promise<unknown> {
    const { verb } = command;
    const isAsk = verb === "limit" || verb === "check";
    const isOneStep = isAsk && this.#executor.slotOf === undefined;
    return (isOneStep ? undefined : onSeveral(command, this.#executor, this)) ?? this.#ask(command);
  }

  readonly #dispatch = (): void => {
    const gathered = this.#gathered;
    this.#gathered = [];
    for (const one of gathered) this.#enqueue(one);
    for (const node of this.#nodes.values()) {
      this.#sendNext(node);
      if (node.refused.length > 0) this.#unanswered.overflowed(node, MOST_WAITING);
    }
  };

  /** Queues a command, sends it as the probe of a failed node, or answers it. */
  #enqueue(one: PendingCommand): void {
    const node = this.#nodeAt(one.slot);
    const permitted = node.breakers.permits(one.slot);
    const error = permitted === "none" ? pausedError(node) : this.#hooks.obstacle?.(one.command);
    if (error !== undefined) this.#unanswered.answer([one], { node, error, isOutage: true });
    else if (permitted === "all") node.add(one);
    else {
      node.breakers.probing(one.slot);
      this.#sendNow(node, new MicroBatch(one), { isProbe: true });
    }
  }

  /** Sends as much as a node has room for; the rest waits. */
  #sendNext(node: StoreNode): void {
    for (let batch = node.next(); batch !== undefined; batch = node.next()) this.#send(node, batch);
  }

  /** Sends a batch, whether there is room for it or not. */
  #sendNow(node: StoreNode, batch: MicroBatch, sending: SendingOptions): void {
    node.sent(batch);
    this.#send(node, batch, sending);
  }

  async #send(
    node: StoreNode,
    batch: MicroBatch,
    { until, isProbe = false }: SendingOptions = {},
  ): Promise<void> {
    const rounds = node.breakers.rounds(batch.slot);
    const request: StoreRequest = { node, batch, rounds, isFirst: until === undefined, lost: [] };
    this.#underWay++;
    const wait = this.#deadlines.start(() => this.#wasLate(request, wait), until);
    const { slot, commands } = batch;
    const details = { slot, isProbe, isLate: () => wait.over, observer: this.#observe?.() };
    try {
      const outcomes = await this.#executor.execute(commands, details);
      if (outcomes?.length !== commands.length) throw countError(commands, outcomes);
      if (this.#deadlines.end(wait)) this.#answered(request, outcomes);
      else this.#answeredLate(request, wait);
    } catch (error) {
      if (this.#deadlines.end(wait)) this.#failed(request, errorFrom(error), wait);
    }
  }

  readonly #turnOver = (): void => {
    this.#underWay--;
  };

  /** Frees the request's room at its node. */
  #ended({ node, batch }: StoreRequest): void {
    const isAlone = this.#underWay === 1 && batch.all.length === 1;
    if (isAlone) this.#turnOver();
    else this.#settings.scheduler.afterTurn(this.#turnOver);
    node.ended(batch);
    this.#sendNext(node);
  }

  #answered(request: StoreRequest, outcomes: readonly CommandOutcome[]): void {
    const { node, batch } = request;
    this.#deadlines.hasAnswered = true;
    if (node.breakers.hasFailed) this.#unanswered.succeeded(node, batch.slot);
    for (const [index, one] of batch.all.entries()) {
      try {
        const answer = answerTo(one.command, outcomes[index]);
        one.resolve((one.isOne ? (answer as readonly unknown[])[0] : answer) as never);
      } catch (error) {
        this.#unanswered.failedAlone(one, error as Error, node);
      }
    }
    this.#ended(request);
  }

  /**
   * The callers have been answered already. But the request can no longer grant a lease, and the
   * node works.
   */
  #answeredLate({ node, batch, rounds, lost }: StoreRequest, { from }: DeadlineWait): void {
    const { deadline, scheduler } = this.#settings;
    this.#deadlines.hasAnswered = true;
    const ms = scheduler.elapsed() - from;
    this.#unanswered.emit({ type: "late", node: node.name, ms, deadline });
    for (const release of lost) this.#releases.decided(release);
    node.breakers.answeredLate(batch.slot, rounds);
  }

  #wasLate(request: StoreRequest, { from, until }: DeadlineWait): void {
    const { node, batch, rounds, isFirst } = request;
    const error = new LateError(Math.round(until - from), this.#hooks.trouble?.());
    // A late answer to a repeated request does not count against the node.
    request.lost = this.#unanswered.failed(batch, { node, error, rounds, isOfNode: isFirst });
    this.#ended(request);
  }

  /** Handles an error reported by the store or by the connection. */
  #failed(request: StoreRequest, error: Error, { until }: DeadlineWait): void {
    const { node, batch, rounds } = request;
    const { blamesNode, mayConcernOne } = this.#hooks;
    if (error instanceof PortError) this.#unanswered.disagreed(batch, error, node);
    else if (batch.all.length > 1 && mayConcernOne?.(error)) this.#sendAgain(request, until);
    else {
      const isOfNode = blamesNode?.(error) ?? true;
      this.#unanswered.failed(batch, { node, error, rounds, isOfNode });
    }
    this.#ended(request);
  }

  /**
   * One command kept the others from being carried out: sends the rest without it, or each alone if
   * it is unknown.
   */
  #sendAgain({ node, batch: { all } }: StoreRequest, until: number): void {
    const others = all.filter((one) => {
      const error = this.#hooks.obstacle?.(one.command);
      if (error !== undefined) this.#unanswered.answer([one], { node, error, isOutage: true });
      return error === undefined;
    });
    const isKnown = others.length < all.length;
    const { mostBudgets = MOST_BUDGETS } = this.#executor;
    const batches: MicroBatch[] = [];
    for (const one of others) {
      const isAdded = isKnown && batches[0]?.add(one, mostBudgets);
      if (!isAdded) batches.push(new MicroBatch(one));
    }
    for (const batch of batches) this.#sendNow(node, batch, { until });
  }

  #nodeAt(slot: number): StoreNode {
    const executor = this.#executor;
    const { breaker, clock } = this.#settings;
    const name = this.#hooks.nodeOf?.(slot, "limit") ?? executor.name;
    let node = this.#nodes.get(name);
    if (node === undefined) {
      const { mostBudgets = MOST_BUDGETS, mostInFlight = MOST_IN_FLIGHT } = executor;
      const hasSlots = this.#hooks.nodeOf !== undefined;
      const settings = { mostBudgets, mostInFlight, mostWaiting: MOST_WAITING, hasSlots };
      node = new StoreNode(name, new SlotBreakers(breaker, clock), settings);
      this.#nodes.set(name, node);
    }
    return node;
  }
}
