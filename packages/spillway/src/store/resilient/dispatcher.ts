import {
  type Ask,
  afterTurn,
  type Budget,
  type Clock,
  type Command,
  type Decision,
  type Observer,
  tellSafely,
} from "../../core/index.ts";
import { PortError } from "../port/port-error.ts";
import { Breaker, type BreakerSettings } from "./breaker.ts";
import { Deadlines, LateError, type Wait } from "./deadlines.ts";
import { errorOf } from "./direct.ts";
import type { OnEvent, StoreEvent } from "./events.ts";
import type { Executor, Outcome } from "./executor.ts";
import type { Fallback } from "./fallback.ts";
import { MicroBatch } from "./micro-batch.ts";
import { type PendingRelease, PendingReleases } from "./pending-releases.ts";
import { StoreNode } from "./store-node.ts";

/** What a dispatcher works with. */
export type DispatcherSettings = {
  readonly executor: Executor<"later">;
  /** Milliseconds after which an answer is no longer waited for. */
  readonly deadline: number;
  readonly breaker: BreakerSettings;
  readonly fallback: Fallback;
  readonly onEvent: OnEvent | undefined;
  readonly clock: Clock;
};

/** A command that somebody waits for. */
type Pending = {
  readonly command: Command;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
};

type Batch = MicroBatch<Pending>;
type Node = StoreNode<Pending>;

/** A request that was sent. */
type Request = {
  readonly node: Node;
  readonly batch: Batch;
  /** Whether its commands were not sent before. */
  readonly isFirst: boolean;
  /** Leases that it may be granted, though nobody waits for an answer any more. */
  lost: readonly PendingRelease[];
};

/** How a request is sent. */
type Sending = {
  /** Until when an answer is waited for, where that is what is left of a deadline. */
  readonly until?: number;
  readonly isProbe?: boolean;
};

/** The most commands that wait to be sent to one node. */
const MOST_WAITING = 100_000;
/** The most releases that are kept until they are confirmed. */
const MOST_RELEASES = 10_000;
/** For executors that don't say how much they can be sent. */
const MOST_BUDGETS = 128;
const MOST_IN_FLIGHT = 1024;

/**
 * Takes commands to the store and brings the answers back: those of one turn of the event loop
 * together, none later than the deadline after it was sent, and without the store where it fails.
 */
export class Dispatcher {
  /** Called when a request sets out; returns who is told what comes of it. */
  observe: (() => Observer) | undefined;
  readonly #settings: DispatcherSettings;
  readonly #nodes = new Map<string, Node>();
  readonly #deadlines: Deadlines;
  /** What was asked in this turn, by slot. */
  #gathered = new Map<number, Pending[]>();
  readonly #releases = new PendingReleases({
    most: MOST_RELEASES,
    send: (budget, lease) => this.execute({ verb: "release", budgets: [budget], lease }),
    maySend: (budget) => this.#nodeAt(this.#slotOf(budget)).breaker.permits() !== "none",
    overflowed: ({ plan }) => this.#emit({ type: "unreleased", limit: plan.limit }),
  });

  constructor(settings: DispatcherSettings) {
    this.#settings = settings;
    this.#deadlines = new Deadlines(settings.deadline);
  }

  /** Executes a command whose budgets are all kept in one slot. */
  execute<T>(command: Command): Promise<T> {
    const slot = this.#slotOf(command.budgets[0] as Budget);
    return new Promise<T>((resolve, reject) => this.#gather(slot, { command, resolve, reject }));
  }

  /** The same for one ask, without a promise of a list of one. */
  limit(ask: Ask): Promise<Decision> {
    const command = { verb: "limit", budgets: [ask] } as const;
    const slot = this.#slotOf(ask);
    return new Promise((resolve, reject) => {
      const first = (decisions: readonly Decision[]) => resolve(decisions[0] as Decision);
      this.#gather(slot, { command, resolve: first, reject });
    });
  }

  /** Nothing waits: what was gathered goes when the turn is over. */
  #gather(slot: number, one: Pending): void {
    const all = this.#gathered.get(slot);
    if (all !== undefined) {
      all.push(one);
      return;
    }
    if (this.#gathered.size === 0) afterTurn(this.#dispatchAll);
    this.#gathered.set(slot, [one]);
  }

  readonly #dispatchAll = (): void => {
    const gathered = this.#gathered;
    this.#gathered = new Map();
    for (const [slot, all] of gathered) this.#dispatch(slot, all);
  };

  /** What is to go to one slot, in as many requests as it needs. */
  #dispatch(slot: number, gathered: readonly Pending[]): void {
    const node = this.#nodeAt(slot);
    const permitted = node.breaker.permits();
    const isAsked = permitted !== "none" && this.#settings.executor.obstacle !== undefined;
    const pending = isAsked ? this.#unhindered(gathered, node) : gathered;
    if (permitted === "all") {
      this.#enqueue(node, slot, pending);
      return;
    }
    // What is not sent is not failing anew: it is reported as degraded, not as failed.
    const [probe, ...others] = pending;
    const isProbed = permitted === "probe" && probe !== undefined;
    if (isProbed) {
      node.breaker.probing();
      this.#send(node, new MicroBatch(slot, probe), { isProbe: true });
    }
    this.#answerPaused(isProbed ? others : pending, node);
  }

  /** Sends what the node has room for; the rest waits, and what is too much is refused. */
  #enqueue(node: Node, slot: number, pending: readonly Pending[]): void {
    const tooMany: Pending[] = [];
    for (const one of pending) if (!node.add(slot, one)) tooMany.push(one);
    this.#sendNext(node);
    if (tooMany.length === 0) return;
    const [calls, most] = [tooMany.length, MOST_WAITING];
    this.#emit({ type: "overflowed", node: node.name, calls, most });
    const error = new Error(`${most} calls wait to be sent to ${node.name} already`);
    for (const one of tooMany) this.#answerWithout(one, error, { node, isOutage: false });
  }

  #sendNext(node: Node): void {
    for (let batch = node.next(); batch !== undefined; batch = node.next()) this.#send(node, batch);
  }

  #answerPaused(pending: readonly Pending[], node: Node): void {
    const error = new Error(`${node.name} has failed and is not asked for the moment`);
    for (const one of pending) this.#answerWithout(one, error, { node, isOutage: true });
  }

  /** Those that nothing is known to keep from being carried out; the others are answered. */
  #unhindered(pending: readonly Pending[], node: Node): readonly Pending[] {
    return pending.filter((one) => {
      const obstacle = this.#settings.executor.obstacle?.(one.command);
      if (obstacle !== undefined) this.#answerWithout(one, obstacle, { node, isOutage: true });
      return obstacle === undefined;
    });
  }

  #send(node: Node, batch: Batch, { until, isProbe = false }: Sending = {}): void {
    const request: Request = { node, batch, isFirst: until === undefined, lost: [] };
    const wait = this.#deadlines.start(() => this.#wasLate(request), until);
    node.sent(batch);
    this.#executed(batch, { wait, isProbe }).then(
      (outcomes) => {
        if (this.#deadlines.end(wait)) this.#answered(request, outcomes);
        // Nothing is granted by it from now on.
        else for (const release of request.lost) this.#releases.decided(release);
      },
      (error) => {
        if (this.#deadlines.end(wait)) this.#failed(request, error as Error, wait);
      },
    );
  }

  async #executed(
    { slot, commands }: Batch,
    { wait, isProbe }: { readonly wait: Wait; readonly isProbe: boolean },
  ): Promise<readonly Outcome[]> {
    const request = { slot, isProbe, isLate: () => wait.over, observer: this.observe?.() };
    const outcomes = await this.#settings.executor.execute(commands, request);
    if (outcomes?.length === commands.length) return outcomes;
    throw new Error(`${commands.length} commands have ${outcomes?.length} answers`);
  }

  /** There is room for more at a node. */
  #ended({ node, batch }: Request): void {
    node.ended(batch);
    this.#sendNext(node);
  }

  #wasLate(request: Request): void {
    const { executor, deadline } = this.#settings;
    const { node, batch, isFirst } = request;
    const error = new LateError(deadline, executor.trouble?.());
    // What has been held up once says nothing of the node when it is late.
    request.lost = this.#fail(batch.all, error, node, isFirst);
    this.#ended(request);
  }

  #answered(request: Request, outcomes: readonly Outcome[]): void {
    const { node, batch } = request;
    this.#succeeded(node);
    for (const [index, one] of batch.all.entries()) {
      const outcome = outcomes[index];
      try {
        if (!outcome || !("answer" in outcome)) throw errorOf(outcome);
        one.resolve(outcome.answer as never);
      } catch (error) {
        this.#failedAlone(one, error as Error, node);
      }
    }
    this.#ended(request);
  }

  #failedAlone(one: Pending, error: Error, node: Node): void {
    this.#emit({ type: "failed", node: node.name, error, calls: 1 });
    this.#answerWithout(one, error, { node, isOutage: true });
  }

  /** The store, or the way to it, has said that a request failed. */
  #failed(request: Request, error: Error, { until }: Wait): void {
    const { node, batch } = request;
    if (error instanceof PortError) this.#disagree(batch.all, error, node);
    else if (batch.all.length === 1 || !this.#settings.executor.mayConcernOne?.(error)) {
      this.#fail(batch.all, error, node, this.#settings.executor.blamesNode?.(error) ?? true);
    } else this.#sendAgain(node, batch, until);
    this.#ended(request);
  }

  /** One command has kept the others from being carried out: without it, or each alone if it isn't known. */
  #sendAgain(node: Node, { slot, all }: Batch, until: number): void {
    const others = this.#unhindered(all, node);
    const isKnown = others.length < all.length;
    const batches: Batch[] = [];
    for (const one of others) {
      const isAdded = isKnown && batches[0]?.add(one, this.#mostBudgets);
      if (!isAdded) batches.push(new MicroBatch(slot, one));
    }
    for (const batch of batches) this.#send(node, batch, { until });
  }

  #succeeded({ name, breaker }: Node): void {
    if (!breaker.succeeded()) return;
    this.#emit({ type: "resumed", node: name });
    this.#releases.resume();
  }

  /** @returns The leases that may be granted all the same, and are given back. */
  #fail(
    pending: readonly Pending[],
    error: Error,
    node: Node,
    isOfNode: boolean,
  ): readonly PendingRelease[] {
    const { breaker: settings } = this.#settings;
    this.#emit({ type: "failed", node: node.name, error, calls: pending.length });
    if (isOfNode && node.breaker.failed()) {
      this.#emit({ type: "paused", node: node.name, ...settings });
      this.#answerPaused(node.drain(), node);
    }
    // What a node says of a command alone, it says: it is well.
    if (!isOfNode && !(error instanceof LateError)) this.#succeeded(node);
    for (const one of pending) this.#answerWithout(one, error, { node, isOutage: true });
    return pending.flatMap((one) => this.#giveBack(one, false));
  }

  /**
   * The store's arithmetic and ours disagree. It answers, so that this is no outage: nothing is
   * admitted for it, whatever limits say of outages, and nobody else is concerned.
   */
  #disagree(pending: readonly Pending[], error: PortError, node: Node): void {
    this.#emit({ type: "disagreed", node: node.name, error, calls: pending.length });
    this.#succeeded(node);
    for (const one of pending) {
      this.#answerWithout(one, error, { node, isOutage: false });
      this.#giveBack(one, true);
    }
  }

  #answerWithout(
    { command, resolve, reject }: Pending,
    error: Error,
    { node, isOutage }: { readonly node: Node; readonly isOutage: boolean },
  ): void {
    const { fallback, deadline } = this.#settings;
    if (command.verb === "release") this.#releases.failed(command.budgets[0], command.lease);
    const retryAfter = Math.max(node.breaker.pauseLeft(), deadline);
    try {
      resolve(fallback.answer(command, { error, isOutage, retryAfter }) as never);
    } catch (thrown) {
      reject(thrown as Error);
    }
  }

  /**
   * Gives back leases that nobody will know of: the store may have granted them all the same.
   *
   * @param isDecided Whether it has answered, so that it grants none any more.
   */
  #giveBack({ command }: Pending, isDecided: boolean): readonly PendingRelease[] {
    if (command.verb !== "limit") return [];
    return command.budgets.flatMap(({ plan, key, count, lease }) => {
      if (lease === undefined || count === 0) return [];
      return this.#releases.giveBack({ plan, key }, { id: lease.id, count }, isDecided) ?? [];
    });
  }

  #emit(event: StoreEvent): void {
    tellSafely(this.#settings.onEvent, event);
  }

  #slotOf(budget: Budget): number {
    return this.#settings.executor.slotOf?.(budget) ?? 0;
  }

  get #mostBudgets(): number {
    return this.#settings.executor.mostBudgets ?? MOST_BUDGETS;
  }

  #nodeAt(slot: number): Node {
    const { executor, breaker, clock } = this.#settings;
    const name = executor.nodeOf?.(slot, "limit") ?? executor.name;
    let node = this.#nodes.get(name);
    if (node === undefined) {
      const mostInFlight = executor.mostInFlight ?? MOST_IN_FLIGHT;
      const mostBudgets = this.#mostBudgets;
      const settings = { mostBudgets, mostInFlight, mostWaiting: MOST_WAITING };
      node = new StoreNode(name, new Breaker(breaker, clock), settings);
      this.#nodes.set(name, node);
    }
    return node;
  }
}
