import {
  type Ask,
  type Budget,
  type Clock,
  type Decision,
  type LeaseRef,
  SpillwayError,
} from "../../core/index.ts";
import {
  Breaker,
  Fallback,
  type OnEvent,
  type Operation,
  type StoreEvent,
  tellSafely,
  unavailable,
} from "../../remote/index.ts";
import type { Patience } from "./patience.ts";
import { RowError } from "./row-error.ts";

/**
 * What is held up alone: where others keep the lock for writing, what only reads goes on. Events call
 * it so.
 */
const READS = "sqlite, reading";
const WRITES = "sqlite, writing";

/** What takes no lock. */
const READING: ReadonlySet<Operation> = new Set(["check", "checkAll", "value", "look"]);

/** A database that others keep locked holds up the process for its whole timeout: once is enough. */
const FAILURES = 1;
/** Milliseconds between two attempts while the database fails. */
const PAUSE = 1000;
const PAUSED = "the database has failed and is not asked for the moment";

/** How failures are met. */
export type GuardSettings = {
  readonly patience: Patience;
  /** How many processes share the limits. */
  readonly instances: number;
  readonly clock: Clock;
  readonly onEvent: OnEvent | undefined;
};

/** One way to the database, and whether it is open. */
type Way = { readonly node: string; readonly breaker: Breaker };

/**
 * Answers what the database could not: asks by each limit's `whenUnavailable`, all else by an error.
 *
 * After a failure the database is left alone for a second at a time, and then asked without patience,
 * so that an outage does not cost its timeout at every ask. Misuse is no failure: it is thrown on.
 */
export class Guard {
  readonly #reads: Way;
  readonly #writes: Way;
  readonly #fallback: Fallback;
  readonly #patience: Patience;
  readonly #onEvent: OnEvent | undefined;

  constructor({ instances, clock, patience, onEvent }: GuardSettings) {
    const breaker = () => new Breaker({ failures: FAILURES, pause: PAUSE }, clock);
    this.#reads = { node: READS, breaker: breaker() };
    this.#writes = { node: WRITES, breaker: breaker() };
    this.#fallback = new Fallback(instances, clock);
    this.#patience = patience;
    this.#onEvent = onEvent;
  }

  /** A decision, or the answer without one. */
  one(operation: "limit" | "check", ask: Ask, decide: () => Decision): Decision {
    const way = this.#wayOf(operation);
    return this.#attempt(way, decide, () => this.#without([ask], way)[0] as Decision);
  }

  /** Several decisions taken together, or the answers without them. */
  all(
    operation: "limitAll" | "checkAll",
    asks: readonly Ask[],
    decide: () => readonly Decision[],
  ): readonly Decision[] {
    const way = this.#wayOf(operation);
    return this.#attempt(way, decide, () => this.#without(asks, way));
  }

  /** What is done with a lease: here, where it was taken while the database failed. */
  lease(
    operation: "release" | "renew",
    budget: Budget,
    held: LeaseRef,
    work: () => boolean,
  ): boolean {
    return this.#fallback[operation](budget, held) || this.call(operation, budget, work);
  }

  /** What has no answer without the database. @throws SpillwayError `unavailable` */
  call<T>(operation: Operation, budget: Budget | undefined, work: () => T): T {
    return this.#attempt(this.#wayOf(operation), work, (error) => {
      throw unavailable(operation, budget?.plan.limit ?? "", error);
    });
  }

  #wayOf(operation: Operation): Way {
    return READING.has(operation) ? this.#reads : this.#writes;
  }

  #attempt<T>(way: Way, work: () => T, otherwise: (error: Error) => T): T {
    const permitted = way.breaker.permits();
    if (permitted === "none") return otherwise(new Error(PAUSED));
    try {
      const result = permitted === "probe" ? this.#patience.hurried(work) : work();
      if (way.breaker.succeeded()) this.#tell({ type: "resumed", node: way.node });
      return result;
    } catch (error) {
      if (error instanceof SpillwayError) throw error;
      this.#failed(way, error as Error);
      return otherwise(error as Error);
    }
  }

  #failed({ node, breaker }: Way, error: Error): void {
    this.#tell({ type: "failed", node, error, calls: 1 });
    // One row that can't be read says nothing of the others.
    if (error instanceof RowError) return;
    if (breaker.failed()) this.#tell({ type: "paused", node, failures: FAILURES, pause: PAUSE });
    else breaker.probing();
  }

  #without(asks: readonly Ask[], way: Way): readonly Decision[] {
    const wait = Math.max(1, way.breaker.pauseLeft());
    const decisions = this.#fallback.answer(asks, way === this.#writes, wait);
    for (const [index, { ok }] of decisions.entries()) {
      const { limit, whenUnavailable } = (asks[index] as Ask).plan;
      this.#tell({ type: "degraded", limit, whenUnavailable, ok });
    }
    return decisions;
  }

  #tell(event: StoreEvent): void {
    tellSafely(this.#onEvent, event);
  }
}
