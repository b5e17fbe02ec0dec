import { setTimeout as pause } from "node:timers/promises";
import { type Lease, RateLimiter } from "../../../../src/limiter/index.ts";
import { planFor } from "../../../../src/limits/algorithms/index.ts";
import {
  type Budget,
  type Decision,
  type Limits,
  SpillwayError,
  type Store,
} from "../../../../src/limits/core/index.ts";
import type { Opened } from "./opened.ts";
import { PhaseCounts } from "./phase-counts.ts";
import type { Asking, Assignment, Report } from "./protocol.ts";

/** A budget that nobody uses: to look at it tells the time of the server that is asked. */
const CLOCK: Budget = {
  plan: planFor("clock", { kind: "token bucket", rate: 1, period: 1 }),
  key: undefined,
};

/** Milliseconds for which a lease is held. */
const IN_FLIGHT = 10;

const now = () => Number(process.hrtime.bigint());

type Limiting = {
  readonly store: Store<"later">;
  readonly limiter: RateLimiter<Limits, "later">;
};

/** Callers who ask the same, by the same store. */
type Callers = Limiting & {
  readonly asking: Asking;
  /** The asking's place in the assignment. */
  readonly index: number;
  readonly count: number;
};

/** Keeps a steady number of asks in flight, and counts what comes of them. */
export class Load {
  readonly #assignment: Assignment;
  readonly #opened: Opened;
  #stores = 0;
  readonly #phases = new Map<string, PhaseCounts>();
  readonly #errors: string[] = [];
  readonly #callers: readonly Callers[];
  #counts: PhaseCounts;
  #running: readonly Promise<void>[] = [];
  #stopped = false;

  static async begin(assignment: Assignment, opened: Opened): Promise<Load> {
    const load = new Load(assignment, opened);
    await opened.connect();
    return load;
  }

  private constructor(assignment: Assignment, opened: Opened) {
    this.#assignment = assignment;
    this.#opened = opened;
    this.#counts = this.enter("before");
    const shared = new Map<number, Limiting>();
    this.#callers = assignment.askings.flatMap((asking, index) => {
      const { store, inFlight, together } = asking;
      if (together === undefined) {
        shared.set(store, shared.get(store) ?? this.#limiting());
        return [{ ...(shared.get(store) as Limiting), asking, index, count: inFlight }];
      }
      return Array.from({ length: inFlight / together }, () => {
        return { ...this.#limiting(), asking, index, count: together };
      });
    });
  }

  /** From now on, all is counted under another name. */
  enter(name: string): PhaseCounts {
    this.#counts?.end();
    this.#counts = new PhaseCounts(this.#assignment.askings, this.#counts);
    this.#phases.set(name, this.#counts);
    return this.#counts;
  }

  start(): void {
    this.#running = this.#callers.flatMap((callers) =>
      Array.from({ length: callers.count }, () => this.#keepAsking(callers)),
    );
  }

  /** Returns when every ask has its answer. */
  async rest(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** The same, for good. */
  async stop(): Promise<void> {
    await this.rest();
    this.#counts.end();
    await this.#opened.close();
  }

  /** Something went wrong that never should. */
  fail(error: unknown): void {
    this.#errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  get report(): Report {
    const phases = [...this.#phases].map(([name, counts]) => [name, counts.phase] as const);
    return { phases: Object.fromEntries(phases), errors: this.#errors };
  }

  #limiting(): Limiting {
    const { limits, whenUnavailable, deadline, instances } = this.#assignment;
    const number = this.#stores++;
    const store = this.#opened.store({
      instances,
      ...(deadline !== undefined && { deadline }),
      onEvent: (event) => this.#counts.happened(event, number),
    });
    return { store, limiter: new RateLimiter(limits, { store, whenUnavailable }) };
  }

  async #keepAsking(callers: Callers): Promise<void> {
    while (!this.#stopped) {
      const began = performance.now();
      try {
        await this.#ask(callers);
      } catch (error) {
        this.#thrown(callers, error);
      }
      this.#counts.counters[callers.index]?.waited(performance.now() - began);
      if (callers.asking.pause > 0) await pause(callers.asking.pause);
    }
  }

  async #ask(callers: Callers): Promise<void> {
    const { limiter, asking } = callers;
    const { limit, key, operation } = asking;
    if (operation === "value") {
      await limiter.value(limit, { key });
      this.#counter(callers).told();
      this.#answered(callers);
      return;
    }
    if (operation === "acquire") return this.#beInFlight(callers);
    const answer = this.#decide(callers, operation);
    // In the same turn, so that it is told with the same answer.
    const sight = asking.recorded
      ? callers.store.execute({ verb: "peek", budgets: [{ ...CLOCK, key }] })
      : undefined;
    const [decision, seen] = await Promise.all([answer, sight]);
    this.#counter(callers).decided(decision);
    if (decision.degraded) this.#counts.degraded();
    else this.#answered(callers);
    const now = seen?.[0]?.now;
    if (decision.ok && now !== undefined) {
      this.#counter(callers).recorded([now, decision.retryAfter]);
    }
  }

  async #beInFlight(callers: Callers): Promise<void> {
    const decision = await this.#acquire(callers);
    const { lease } = decision;
    const from = now();
    this.#counter(callers).decided(decision);
    if (decision.degraded) this.#counts.degraded();
    else this.#answered(callers);
    if (lease === undefined) return;
    await pause(IN_FLIGHT);
    this.#counter(callers).flew([from, now()]);
    await lease.release();
  }

  async #acquire({ limiter, asking }: Callers): Promise<Decision & { readonly lease?: Lease }> {
    const { limit, key, alsoKey } = asking;
    if (alsoKey !== undefined) {
      const { lease, ...decision } = await limiter.limitAll([
        { limit, key },
        { limit, key: alsoKey },
      ]);
      return lease === undefined ? decision : { ...decision, lease };
    }
    const lease = await limiter.acquire(limit, { key });
    return lease.ok ? { ...lease, lease } : { ...lease };
  }

  #decide({ limiter, asking }: Callers, operation: "limit" | "check"): Promise<Decision> {
    const { limit, key, within } = asking;
    if (!within) return limiter[operation](limit, { key });
    return this.#opened.transact((transaction) =>
      limiter.within(transaction)[operation](limit, { key }),
    );
  }

  #thrown(callers: Callers, error: unknown): void {
    const isExpected = callers.asking.operation === "value" && error instanceof SpillwayError;
    if (isExpected && error.code === "unavailable") {
      this.#counter(callers).unanswered();
      this.#counts.degraded();
    } else {
      this.fail(error);
    }
  }

  #counter({ index }: Callers) {
    const counter = this.#counts.counters[index];
    if (counter === undefined) throw new Error(`there is no asking ${index}`);
    return counter;
  }

  #answered(callers: Callers): void {
    this.#counts.answered(this.#counter(callers));
  }
}
