import { setTimeout as pause } from "node:timers/promises";
import { planFor } from "../../../../../src/algorithms/index.ts";
import { type Budget, SpillwayError } from "../../../../../src/core/index.ts";
import { RateLimiter } from "../../../../../src/limiter/index.ts";
import { redisStore } from "../../../../../src/stores/redis/index.ts";
import { type Connected, connectTo } from "./connections.ts";
import { PhaseCounts } from "./phase-counts.ts";
import type { Asking, Assignment, Report } from "./protocol.ts";

/** A budget that nobody uses: to look at it tells the time of the server that is asked. */
const CLOCK: Budget = {
  plan: planFor("clock", { kind: "token bucket", rate: 1, period: 1 }),
  key: undefined,
};

/** A store of its own for each asking that is recorded, so that its calls share their requests. */
function limiterFor(client: Connected["client"], assignment: Assignment, load: Load) {
  const { limits, whenUnavailable, deadline, instances } = assignment;
  const store = redisStore(client, {
    instances,
    ...(deadline !== undefined && { deadline }),
    onEvent: (event) => load.counts.happened(event),
  });
  return { store, limiter: new RateLimiter(limits, { store, whenUnavailable }) };
}

type Asker = ReturnType<typeof limiterFor> & { readonly asking: Asking; readonly index: number };

/** Keeps a steady number of asks in flight, and counts what comes of them. */
export class Load {
  readonly #assignment: Assignment;
  readonly #connected: Connected;
  readonly #phases = new Map<string, PhaseCounts>();
  readonly #errors: string[] = [];
  readonly #askers: readonly Asker[];
  #counts: PhaseCounts;
  #running: readonly Promise<void>[] = [];
  #stopped = false;

  static async begin(assignment: Assignment): Promise<Load> {
    return new Load(assignment, await connectTo(assignment.target, assignment.make));
  }

  private constructor(assignment: Assignment, connected: Connected) {
    this.#assignment = assignment;
    this.#connected = connected;
    this.#counts = this.enter("before");
    const shared = limiterFor(connected.client, assignment, this);
    this.#askers = assignment.askings.map((asking, index) => {
      const own = asking.recorded ? limiterFor(connected.client, assignment, this) : shared;
      return { ...own, asking, index };
    });
  }

  get counts(): PhaseCounts {
    return this.#counts;
  }

  /** From now on, all is counted under another name. */
  enter(name: string): PhaseCounts {
    this.#counts?.end();
    this.#counts = new PhaseCounts(this.#assignment.askings, this.#counts);
    this.#phases.set(name, this.#counts);
    return this.#counts;
  }

  start(): void {
    this.#running = this.#askers.flatMap((asker) =>
      Array.from({ length: asker.asking.inFlight }, () => this.#keepAsking(asker)),
    );
  }

  /** Returns when every ask has its answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
    this.#counts.end();
    this.#connected.close();
  }

  /** Something went wrong that never should. */
  fail(error: unknown): void {
    this.#errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  get report(): Report {
    const phases = [...this.#phases].map(([name, counts]) => [name, counts.phase] as const);
    return { phases: Object.fromEntries(phases), errors: this.#errors };
  }

  async #keepAsking(asker: Asker): Promise<void> {
    while (!this.#stopped) {
      const began = performance.now();
      try {
        await this.#ask(asker);
      } catch (error) {
        this.#thrown(asker, error);
      }
      this.#counts.counters[asker.index]?.waited(performance.now() - began);
      if (asker.asking.pause > 0) await pause(asker.asking.pause);
    }
  }

  async #ask(asker: Asker): Promise<void> {
    const { limiter, asking } = asker;
    const { limit, key, operation } = asking;
    if (operation === "value") {
      await limiter.value(limit, { key });
      this.#counter(asker).told();
      this.#answered(asker);
      return;
    }
    const answer = limiter[operation](limit, { key });
    // In the same turn, so that it is told with the same answer.
    const sight = asking.recorded ? asker.store.look([{ ...CLOCK, key }]) : undefined;
    const [decision, seen] = await Promise.all([answer, sight]);
    this.#counter(asker).decided(decision);
    if (decision.degraded) this.#counts.degraded();
    else this.#answered(asker);
    const now = seen?.[0]?.now;
    if (decision.ok && now !== undefined) {
      this.#counter(asker).recorded([now, decision.retryAfter]);
    }
  }

  #thrown(asker: Asker, error: unknown): void {
    const isExpected = asker.asking.operation === "value" && error instanceof SpillwayError;
    if (isExpected && error.code === "unavailable") {
      this.#counter(asker).unanswered();
      this.#counts.degraded();
    } else {
      this.fail(error);
    }
  }

  #counter({ index }: Asker) {
    const counter = this.#counts.counters[index];
    if (counter === undefined) throw new Error(`there is no asking ${index}`);
    return counter;
  }

  #answered(asker: Asker): void {
    this.#counts.answered(this.#counter(asker));
  }
}
