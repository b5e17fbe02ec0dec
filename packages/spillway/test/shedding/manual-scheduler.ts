import type { Scheduler } from "../../src/limits/core/index.ts";

/** Time that stands still until it is told otherwise. */
export class ManualScheduler implements Scheduler {
  #now = 0;
  #turn: (() => void)[] = [];
  #timers: { readonly at: number; readonly call: () => void }[] = [];

  readonly elapsed = () => this.#now;

  /** Whether nothing is to be called when the turn is over. */
  get isIdle(): boolean {
    return this.#turn.length === 0;
  }

  readonly afterTurn = (call: () => void): void => {
    this.#turn.push(call);
  };

  readonly afterDelay = (ms: number, call: () => void): void => {
    this.#timers.push({ at: this.#now + ms, call });
  };

  readonly alarm = (ms: number, call: () => void): (() => void) => {
    let isCancelled = false;
    this.afterDelay(ms, () => {
      if (!isCancelled) call();
    });
    return () => {
      isCancelled = true;
    };
  };

  /** Uses time within a turn. */
  burn(ms: number): void {
    this.#now += ms;
  }

  /** Ends this turn of the event loop, with all that follows from it. */
  async turn(): Promise<void> {
    const calls = this.#turn;
    this.#turn = [];
    for (const call of calls) call();
    for (let hop = 0; hop < 20; hop++) await undefined;
  }

  /** Goes on, timer after timer, turn after turn. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.call();
      await this.turn();
    }
    this.#now = end;
    await this.turn();
  }

  #next(end: number) {
    const due = this.#timers.filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}
