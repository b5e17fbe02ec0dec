import { RateLimiter } from "../../../limiter/index.ts";
import type { Decision, Store } from "../../../limits/core/index.ts";
import type { EventLoop } from "../event-loop.ts";
import type { AskOf, Call } from "./call.ts";
import type { Layout } from "./layout.ts";
import type { Stores } from "./stores.ts";

export type ProcessParts = {
  readonly layout: Layout;
  readonly loop: EventLoop;
  readonly stores: Stores;
  readonly region: string;
  /** Receives what is decided; undefined where the process stopped before. */
  readonly answered: (call: Call, decision: Decision | undefined) => void;
};

/** A process with a limiter. It may stop, and another one may take its place. */
export class SimulatedProcess {
  readonly #parts: ProcessParts;
  #life: Life;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#life = new Life(parts);
  }

  /** Whether calls are sent to it. */
  get isOpen(): boolean {
    return this.#life.isOpen;
  }

  /** Units that it holds. */
  get held(): number {
    return this.#life.held;
  }

  ask(call: Call): void {
    this.#life.ask(call);
  }

  stop(givesBack: boolean): void {
    if (givesBack) this.#life.end();
    else this.#life.kill();
  }

  /** Begins anew, with nothing; what was before has stopped. */
  start(): void {
    this.#life.kill();
    this.#life = new Life(this.#parts);
  }
}

/** A process from its beginning to its end. */
class Life {
  isOpen = true;
  #isUp = true;
  readonly #parts: ProcessParts;
  readonly #store: Store<"later">;
  readonly #limiter: RateLimiter<never, "later">;
  readonly #open = new Set<Call>();
  /** For which call the limiter asks the store. */
  #asking: Call | undefined;

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

  ask(call: Call): void {
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

  /** Answers what it was asked, gives back what it holds, and stops. */
  end(): void {
    this.isOpen = false;
    this.#limiter.giveBack().then(() => this.kill(), this.#parts.loop.crash);
  }

  kill(): void {
    this.isOpen = false;
    this.#isUp = false;
    for (const call of this.#open) this.#answer(call, undefined);
  }

  #answer(call: Call, decision: Decision | undefined): void {
    if (this.#open.delete(call)) this.#parts.answered(call, decision);
  }
}

/** The store, whose asks say for which call they are. */
function withCall(store: Store<"later">, asking: () => Call | undefined): Store<"later"> {
  const { lending } = store;
  const limit = store.limit?.bind(store);
  return {
    mode: "later",
    execute: (command) => store.execute(command),
    ...(lending && { lending }),
    ...(limit && { limit: (ask: AskOf) => limit({ ...ask, call: asking() } as AskOf) }),
  };
}
