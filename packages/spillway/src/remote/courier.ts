import type { Ask, Budget, Clock, Decision } from "../core/index.ts";
import { Breaker, type BreakerSettings } from "./breaker.ts";
import type { Call, Reply, Transport } from "./call.ts";
import { Deadlines, LateError } from "./deadlines.ts";
import { type OnEvent, tellSafely } from "./events.ts";
import { type Fallback, unavailable } from "./fallback.ts";
import { parts } from "./parts.ts";
import type { Refusals } from "./refusals.ts";
import { type Outcome, Replay } from "./replay.ts";
import { Turn } from "./turn.ts";

/** What a courier works with. */
export type CourierSettings = {
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

type Pending = {
  readonly call: Call;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Takes calls to the store and brings the answers back: those of one turn together, none later than
 * the deadline, and without the store where it fails.
 */
export class Courier {
  readonly #settings: CourierSettings;
  readonly #breakers = new Map<string, Breaker>();
  readonly #deadlines: Deadlines;
  readonly #turn = new Turn<Pending>((place, pending) => this.#dispatch(place, pending));

  constructor(settings: CourierSettings) {
    this.#settings = settings;
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
    const { transport } = this.#settings;
    const node = transport.nodeOf(place);
    const breaker = this.#breakerOf(node);
    const permitted = breaker.permits();
    const pending = permitted === "none" ? gathered : this.#unhindered(gathered, breaker);
    if (permitted === "all") {
      for (const part of parts(pending, transport.mostBudgets)) this.#send(place, node, part);
      return;
    }
    // What is not sent is not failing anew: it is told of as degraded, not as failed.
    const probe = permitted === "probe" ? pending.slice(0, 1) : [];
    if (probe.length > 0) {
      breaker.probing();
      this.#send(place, node, probe);
    }
    const error = new Error(`${node} has failed and is not asked for the moment`);
    for (const one of pending.slice(probe.length)) this.#without(one, error, breaker);
  }

  /** Those that nothing is known to keep from being carried out; the others are answered. */
  #unhindered(pending: readonly Pending[], breaker: Breaker): readonly Pending[] {
    return pending.filter((one) => {
      const obstacle = this.#settings.transport.obstacle(one.call);
      if (obstacle !== undefined) this.#without(one, obstacle, breaker);
      return obstacle === undefined;
    });
  }

  /** @param until Until when an answer is waited for, where that is what is left of a deadline. */
  #send(place: number, node: string, pending: readonly Pending[], until?: number): void {
    const { transport, clock } = this.#settings;
    const calls = pending.map(({ call }) => call);
    // What has been held up once says nothing of the node when it is late.
    const late = () => this.#fail(pending, this.#late(), node, until === undefined);
    const wait = this.#deadlines.start(late, until);
    const asked = clock();
    transport
      .send(place, calls, () => wait.over)
      .then(
        (reply) => {
          if (this.#deadlines.end(wait))
            this.#receive(pending, this.#replay(calls, reply, asked), node);
        },
        (error) => {
          if (!this.#deadlines.end(wait)) return;
          if (pending.length === 1 || !transport.mayConcernOne(error)) {
            this.#fail(pending, error as Error, node);
          } else this.#sendAgain(place, node, pending, wait.until);
        },
      );
  }

  /** One call has kept the others from being carried out: without it, or each alone if it isn't known. */
  #sendAgain(place: number, node: string, pending: readonly Pending[], until: number): void {
    const others = this.#unhindered(pending, this.#breakerOf(node));
    const isKnown = others.length < pending.length;
    for (const part of isKnown ? [others] : others.map((one) => [one])) {
      if (part.length > 0) this.#send(place, node, part, until);
    }
  }

  #replay(calls: readonly Call[], reply: Reply, asked: number): Replay {
    return new Replay(calls, reply, this.#settings.refusals?.witness(asked));
  }

  #late(): LateError {
    const { transport, deadline } = this.#settings;
    return new LateError(deadline, transport.trouble());
  }

  #receive(pending: readonly Pending[], replay: Replay, node: string): void {
    const breaker = this.#breakerOf(node);
    try {
      const outcomes = replay.run();
      this.#succeeded(node);
      this.#deliver(pending, outcomes, node, breaker);
    } catch (error) {
      this.#fail(pending, error as Error, node);
    }
  }

  #deliver(
    pending: readonly Pending[],
    outcomes: readonly Outcome[],
    node: string,
    breaker: Breaker,
  ): void {
    pending.forEach((one, index) => {
      const outcome = outcomes[index] as Outcome;
      if ("answer" in outcome) one.resolve(outcome.answer as never);
      else {
        const { error } = outcome;
        tellSafely(this.#settings.onEvent, { type: "failed", node, error, calls: 1 });
        this.#without(one, error, breaker);
      }
    });
  }

  #succeeded(node: string): void {
    const wasPaused = this.#breakerOf(node).succeeded();
    if (wasPaused) tellSafely(this.#settings.onEvent, { type: "resumed", node });
  }

  #fail(
    pending: readonly Pending[],
    error: Error,
    node: string,
    isOfNode = this.#settings.transport.blamesNode(error),
  ): void {
    const breaker = this.#breakerOf(node);
    const { onEvent, breaker: settings } = this.#settings;
    tellSafely(onEvent, { type: "failed", node, error, calls: pending.length });
    if (isOfNode && breaker.failed()) tellSafely(onEvent, { type: "paused", node, ...settings });
    // What a node says of a call alone, it says: it is well.
    if (!isOfNode && !(error instanceof LateError)) this.#succeeded(node);
    for (const one of pending) {
      this.#without(one, error, breaker);
      this.#giveUp(one);
    }
  }

  /** Gives back leases that nobody will know of: the store may have lent them all the same. */
  #giveUp({ call: { operation, budgets } }: Pending): void {
    if (operation !== "limit" && operation !== "limitAll") return;
    for (const { plan, key, count, lease } of budgets as readonly Ask[]) {
      if (lease === undefined) continue;
      const held = { id: lease.id, count };
      const budget = { plan, key };
      const call = { operation: "release", budgets: [budget], settlement: undefined, held, ms: 0 };
      const place = this.#settings.transport.placeOf(budget);
      this.#turn.add(place, { call: call as Call, resolve: NOTHING, reject: NOTHING });
    }
  }

  /** Answers a call without the store, or says that it can't be. */
  #without({ call, resolve, reject }: Pending, error: Error, breaker: Breaker): void {
    const { operation, budgets } = call;
    const take = operation === "limit" || operation === "limitAll";
    if (!take && operation !== "check" && operation !== "checkAll") {
      reject(unavailable(operation, budgets[0]?.plan.limit ?? "", error));
      return;
    }
    const asks = budgets as readonly Ask[];
    const retryAfter = Math.max(breaker.pauseLeft(), this.#settings.deadline);
    try {
      const decisions = this.#settings.fallback.answer(asks, take, retryAfter);
      this.#tellOf(asks, decisions);
      const single = operation === "limit" || operation === "check";
      resolve((single ? decisions[0] : decisions) as never);
    } catch (thrown) {
      // Whatever goes wrong here, nobody waits for ever.
      reject(thrown as Error);
    }
  }

  #tellOf(asks: readonly Ask[], decisions: readonly Decision[]): void {
    asks.forEach(({ plan }, index) => {
      const { ok } = decisions[index] as Decision;
      const { limit, whenUnavailable } = plan;
      tellSafely(this.#settings.onEvent, { type: "degraded", limit, whenUnavailable, ok });
    });
  }

  #breakerOf(node: string): Breaker {
    let breaker = this.#breakers.get(node);
    if (breaker === undefined) {
      breaker = new Breaker(this.#settings.breaker, this.#settings.clock);
      this.#breakers.set(node, breaker);
    }
    return breaker;
  }
}

const NOTHING = () => {};
