import { RateLimiter } from "../../../limiter/index.ts";
import type { Decision, Store } from "../../../limits/core/index.ts";
import type { EventLoop } from "../event-loop.ts";
import type { AskOf, SimulatedCall } from "./call.ts";
import type { CompleteLimitScenario } from "./layout.ts";
import type { Stores } from "./stores.ts";

export type ProcessParts = {
  readonly layout: CompleteLimitScenario;
  readonly loop: EventLoop;
  readonly stores: Stores;
  readonly region: string;
  /** Receives each decision; undefined if the process stopped before it. */
  readonly answered: (call: SimulatedCall, decision: Decision | undefined) => void;
};

/** A process with a limiter. It may stop, and another process may take its place. */
export class SimulatedProcess {
  readonly #parts: ProcessParts;
  #life: ProcessRun;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#life = new ProcessRun(parts);
  }

  /** Whether the process receives calls. */
  get isOpen(): boolean {
    return this.#life.isOpen;
  }

  /** The number of units that the process holds. */
  get held(): number {
    return this.#life.held;
  }

  ask(call: SimulatedCall): void {
    this.#life.ask(call);
  }

  stop(givesBack: boolean): void {
    if (givesBack) this.#life.end();
    else this.#life.kill();
  }

  /**
   * Starts a new process, which holds nothing, in place of the old one. Kills the old one if it
   * still runs.
   */
  start(): void {
    this.#life.kill();
    this.#life = new ProcessRun(this.#parts);
  }
}

/** One run of a process, from its start to its end. */
class ProcessRun {
  isOpen = true;
  #isUp = true;
  readonly #parts: ProcessParts;
  readonly #store: Store<"later">;
  readonly #limiter: RateLimiter<never, "later">;
  readonly #open = new Set<SimulatedCall>();
  /** The call for which the limiter is calling the store right now. */
  #asking: SimulatedCall | undefined;

  constructor(parts: ProcessParts) {
    const { layout, stores, region } = parts;
    this.#parts = parts;
    this.#store = stores.open({ region, isUp: () => this.#isUp });
    const store = withCall(this.#store, () => this.#asking);
    this.#limiter = new RateLimiter(layout.limits as never, { store, random: stores.nextRandom() });
  }

  get held(): number {
    return this.#isUp ? (this.#store.lending?.numbers().held ?? 0) : 0;
  }

  ask(call: SimulatedCall): void {
    const { limit, key, count } = call;
    this.#open.add(call);
    this.#asking = call;
    const answer = this.#limiter.limit(limit as never, {
      count,
      ...(key !== undefined && { key }),
    });
    this.#asking = undefined;
    answer.then((decision) => this.#answer(call, decision), this.#parts.loop.crash);
  }

  /**
   * Accepts no more calls, gives back the held units, and stops. Calls without a decision then stay
   * unanswered.
   */
  end(): void {
    this.isOpen = false;
    this.#limiter.giveBack().then(() => this.kill(), this.#parts.loop.crash);
  }

  kill(): void {
    this.isOpen = false;
    this.#isUp = false;
    for (const call of this.#open) this.#answer(call, undefined);
  }

  #answer(call: SimulatedCall, decision: Decision | undefined): void {
    if (this.#open.delete(call)) this.#parts.answered(call, decision);
  }
}

/** Wraps a store so that its asks contain the call that they belong to. */
function withCall(store: Store<"later">, asking: () => SimulatedCall | undefined): Store<"later"> {
  const { lending } = store;
  const limit = store.limit?.bind(store);
  return {
    timing: "later",
    execute: (command) => store.execute(command),
    ...(lending && { lending }),
    ...(limit && { limit: (ask: AskOf) => limit({ ...ask, call: asking() } as AskOf) }),
  };
}
