import type { Ask, Budget, Clock, LeaseRef } from "../core/index.ts";
import { Answers } from "./answers.ts";
import { Breaker, type BreakerSettings } from "./breaker.ts";
import type { Call, Reply, Transport } from "./call.ts";
import { Deadlines, LateError, type Wait } from "./deadlines.ts";
import { type OnEvent, type StoreEvent, tellSafely } from "./events.ts";
import type { Fallback } from "./fallback.ts";
import { Part } from "./part.ts";
import type { Pending } from "./pending.ts";
import { type PendingRelease, PendingReleases } from "./pending-releases.ts";
import { PortError } from "./port-error.ts";
import type { Refusals } from "./refusals.ts";
import { type Outcome, Replay } from "./replay.ts";
import { StoreNode } from "./store-node.ts";
import { Turn } from "./turn.ts";

/** What a dispatcher works with. */
export type DispatcherSettings = {
  readonly transport: Transport;
  /** Milliseconds after which an answer is no longer waited for. */
  readonly deadline: number;
  readonly breaker: BreakerSettings;
  readonly fallback: Fallback;
  /** Where refusals are remembered, if they are. */
  readonly refusals: Refusals | undefined;
  readonly onEvent: OnEvent | undefined;
  readonly clock: Clock;
};

type Node = StoreNode<Pending>;

/** A request that was sent. */
type Flight = {
  readonly node: Node;
  readonly part: Part<Pending>;
  /** Whether its calls were not sent before. */
  readonly isFirst: boolean;
  /** Leases that it may be granted, though nobody waits for an answer any more. */
  lost: readonly PendingRelease[];
};

/** The most calls that wait to be sent to one node. */
const MOST_WAITING = 100_000;
/** The most releases that are kept until they are confirmed. */
const MOST_RELEASES = 10_000;

/**
 * Takes calls to the store and brings the answers back: those of one turn together, none later than
 * the deadline after it was sent, and without the store where it fails.
 */
export class Dispatcher {
  readonly #settings: DispatcherSettings;
  readonly #nodes = new Map<string, Node>();
  readonly #deadlines: Deadlines;
  readonly #turn = new Turn<Pending>((place, pending) => this.#dispatch(place, pending));
  readonly #releases = new PendingReleases({
    most: MOST_RELEASES,
    send: (budget, held) => this.#release(budget, held),
    maySend: (budget) => this.#nodeAt(this.#placeOf(budget)).breaker.permits() !== "none",
    overflowed: ({ plan }) => this.#tell({ type: "unreleased", limit: plan.limit }),
  });

  readonly #answers: Answers;

  constructor(settings: DispatcherSettings) {
    this.#settings = settings;
    const unreleased = (budget: Budget, held: LeaseRef) => this.#releases.failed(budget, held);
    this.#answers = new Answers({ ...settings, unreleased });
    this.#deadlines = new Deadlines(settings.deadline);
  }

  /** Takes a call whose budgets are all kept in one place. */
  take<T>(place: number, call: Call): Promise<T> {
    if (this.#isDoneHere(call)) return Promise.resolve(true as T);
    return new Promise<T>((resolve, reject) => this.#turn.add(place, { call, resolve, reject }));
  }

  /** Releases or renews a lease that was lent in this process, while the store was away. */
  #isDoneHere({ operation, budgets, held }: Call): boolean {
    if (held === undefined || (operation !== "release" && operation !== "renew")) return false;
    return this.#settings.fallback[operation](budgets[0] as Budget, held);
  }

  /** What is to go to one place, in as many requests as it needs. */
  #dispatch(place: number, gathered: readonly Pending[]): void {
    const node = this.#nodeAt(place);
    const permitted = node.breaker.permits();
    const pending = permitted === "none" ? gathered : this.#unhindered(gathered, node);
    if (permitted === "all") {
      this.#enqueue(node, place, pending);
      return;
    }
    // What is not sent is not failing anew: it is reported as degraded, not as failed.
    const [probe, ...others] = pending;
    const isProbed = permitted === "probe" && probe !== undefined;
    if (isProbed) {
      node.breaker.probing();
      this.#send(node, new Part(place, probe));
    }
    this.#answerPaused(isProbed ? others : pending, node);
  }

  /** Sends what the node has room for; the rest waits, and what is too much is refused. */
  #enqueue(node: Node, place: number, pending: readonly Pending[]): void {
    const tooMany = pending.filter((one) => !node.add(place, one));
    this.#sendNext(node);
    if (tooMany.length === 0) return;
    const [calls, most] = [tooMany.length, MOST_WAITING];
    this.#tell({ type: "overflowed", node: node.name, calls, most });
    const error = new Error(`${most} calls wait to be sent to ${node.name} already`);
    for (const one of tooMany) this.#answers.refuse(one, error, node);
  }

  #sendNext(node: Node): void {
    for (let part = node.next(); part !== undefined; part = node.next()) this.#send(node, part);
  }

  #answerPaused(pending: readonly Pending[], node: Node): void {
    const error = new Error(`${node.name} has failed and is not asked for the moment`);
    for (const one of pending) this.#answers.without(one, error, node);
  }

  /** Those that nothing is known to keep from being carried out; the others are answered. */
  #unhindered(pending: readonly Pending[], node: Node): readonly Pending[] {
    return pending.filter((one) => {
      const obstacle = this.#settings.transport.obstacle(one.call);
      if (obstacle !== undefined) this.#answers.without(one, obstacle, node);
      return obstacle === undefined;
    });
  }

  /** @param until Until when an answer is waited for, where that is what is left of a deadline. */
  #send(node: Node, part: Part<Pending>, until?: number): void {
    const { transport, clock } = this.#settings;
    const calls = part.carriers.map(({ call }) => call);
    const flight: Flight = { node, part, isFirst: until === undefined, lost: [] };
    const wait = this.#deadlines.start(() => this.#wasLate(flight), until);
    const asked = clock();
    node.sent(part);
    transport
      .send(part.place, calls, () => wait.over)
      .then(
        (reply) => {
          if (this.#deadlines.end(wait)) this.#replied(flight, this.#replay(calls, reply, asked));
          // Nothing is granted by it from now on.
          else for (const release of flight.lost) this.#releases.decided(release);
        },
        (error) => {
          if (this.#deadlines.end(wait)) this.#failed(flight, error as Error, wait);
        },
      );
  }

  /** There is room for more at a node. */
  #ended({ node, part }: Flight): void {
    node.ended(part);
    this.#sendNext(node);
  }

  #wasLate(flight: Flight): void {
    const { node, part, isFirst } = flight;
    // What has been held up once says nothing of the node when it is late.
    flight.lost = this.#fail(part.carriers, this.#late(), node, isFirst);
    this.#ended(flight);
  }

  #replied(flight: Flight, replay: Replay): void {
    this.#receive(flight.part.carriers, replay, flight.node);
    this.#ended(flight);
  }

  /** The store, or the way to it, has said that a request failed. */
  #failed(flight: Flight, error: Error, { until }: Wait): void {
    const { node, part } = flight;
    const { carriers: pending } = part;
    if (error instanceof PortError) this.#disagree(pending, error, node);
    else if (pending.length === 1 || !this.#settings.transport.mayConcernOne(error)) {
      this.#fail(pending, error, node);
    } else this.#sendAgain(node, part, until);
    this.#ended(flight);
  }

  /** One call has kept the others from being carried out: without it, or each alone if it isn't known. */
  #sendAgain(node: Node, { place, carriers: pending }: Part<Pending>, until: number): void {
    const others = this.#unhindered(pending, node);
    const isKnown = others.length < pending.length;
    const parts: Part<Pending>[] = [];
    for (const one of others) {
      const isAdded = isKnown && parts[0]?.add(one, this.#settings.transport.mostBudgets);
      if (!isAdded) parts.push(new Part(place, one));
    }
    for (const part of parts) this.#send(node, part, until);
  }

  #replay(calls: readonly Call[], reply: Reply, asked: number): Replay {
    return new Replay(calls, reply, this.#settings.refusals?.witness(asked));
  }

  #late(): LateError {
    const { transport, deadline } = this.#settings;
    return new LateError(deadline, transport.trouble());
  }

  #receive(pending: readonly Pending[], replay: Replay, node: Node): void {
    try {
      const outcomes = replay.run();
      this.#succeeded(node);
      this.#deliver(pending, outcomes, node);
    } catch (error) {
      if (error instanceof PortError) this.#disagree(pending, error, node);
      else this.#fail(pending, error as Error, node);
    }
  }

  #deliver(pending: readonly Pending[], outcomes: readonly Outcome[], node: Node): void {
    pending.forEach((one, index) => {
      const outcome = outcomes[index] as Outcome;
      if ("answer" in outcome) one.resolve(outcome.answer as never);
      else {
        const { error } = outcome;
        this.#tell({ type: "failed", node: node.name, error, calls: 1 });
        this.#answers.without(one, error, node);
      }
    });
  }

  #succeeded({ name, breaker }: Node): void {
    if (!breaker.succeeded()) return;
    this.#tell({ type: "resumed", node: name });
    this.#releases.resume();
  }

  /** @returns The leases that may be granted all the same, and are given back. */
  #fail(
    pending: readonly Pending[],
    error: Error,
    node: Node,
    isOfNode = this.#settings.transport.blamesNode(error),
  ): readonly PendingRelease[] {
    const { breaker: settings } = this.#settings;
    this.#tell({ type: "failed", node: node.name, error, calls: pending.length });
    if (isOfNode && node.breaker.failed()) {
      this.#tell({ type: "paused", node: node.name, ...settings });
      this.#answerPaused(node.drain(), node);
    }
    // What a node says of a call alone, it says: it is well.
    if (!isOfNode && !(error instanceof LateError)) this.#succeeded(node);
    for (const one of pending) this.#answers.without(one, error, node);
    return pending.flatMap((one) => this.#giveBack(one, false));
  }

  /**
   * The store's arithmetic and ours disagree. It answers, so that this is no outage: nothing is
   * admitted for it, whatever limits say of outages, and nobody else is concerned.
   */
  #disagree(pending: readonly Pending[], error: PortError, node: Node): void {
    this.#tell({ type: "disagreed", node: node.name, error, calls: pending.length });
    this.#succeeded(node);
    for (const one of pending) {
      this.#answers.refuse(one, error, node);
      this.#giveBack(one, true);
    }
  }

  /**
   * Gives back leases that nobody will know of: the store may have granted them all the same.
   *
   * @param isDecided Whether it has answered, so that it grants none any more.
   */
  #giveBack(
    { call: { operation, budgets } }: Pending,
    isDecided: boolean,
  ): readonly PendingRelease[] {
    if (operation !== "limit" && operation !== "limitAll") return [];
    return (budgets as readonly Ask[]).flatMap(({ plan, key, count, lease }) => {
      if (lease === undefined || count === 0) return [];
      return this.#releases.giveBack({ plan, key }, { id: lease.id, count }, isDecided) ?? [];
    });
  }

  /** Sends a release that is kept until it is confirmed. */
  #release(budget: Budget, held: LeaseRef): Promise<boolean> {
    const call = { operation: "release", budgets: [budget], settlement: undefined, held, ms: 0 };
    return new Promise((resolve, reject) => {
      this.#turn.add(this.#placeOf(budget), { call: call as Call, resolve, reject });
    });
  }

  #tell(event: StoreEvent): void {
    tellSafely(this.#settings.onEvent, event);
  }

  #placeOf(budget: Budget): number {
    return this.#settings.transport.placeOf(budget);
  }

  #nodeAt(place: number): Node {
    const { transport, breaker, clock } = this.#settings;
    const name = transport.nodeOf(place);
    let node = this.#nodes.get(name);
    if (node === undefined) {
      const { mostBudgets, mostInFlight } = transport;
      const settings = { mostBudgets, mostInFlight, mostWaiting: MOST_WAITING };
      node = new StoreNode(name, new Breaker(breaker, clock), settings);
      this.#nodes.set(name, node);
    }
    return node;
  }
}
