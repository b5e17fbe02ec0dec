import { MemberLine } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";

/** One job's place among those that ask the gate one after the other. */
export type JobTurn = {
  /** Whether it is another one's turn: who comes then is not to be quicker than those who wait. */
  readonly isOthers: boolean;
  /** Waits until it is its turn, at most so many milliseconds; false where it was not in time. */
  begin(most: number): Promise<boolean>;
  /** Lets the next one go; nothing where it was not its turn. */
  end(): void;
};

/**
 * The turns of a process's jobs at the gate, for each key. Of many that were refused, one asks again: the others would
 * wake up together to be refused together, which costs more than the starts.
 */
export class JobTurns {
  readonly #scheduler: Pick<Scheduler, "alarm">;
  /** Who waits, for each key whose turn somebody has. */
  readonly #lines = new Map<string | undefined, MemberLine<() => void>>();

  constructor(scheduler: Pick<Scheduler, "alarm">) {
    this.#scheduler = scheduler;
  }

  of(key: string | undefined): JobTurn {
    let hasTurn = false;
    const isTaken = () => this.#lines.has(key);
    return {
      get isOthers() {
        return !hasTurn && isTaken();
      },
      begin: async (most) => {
        hasTurn ||= await this.#begin(key, most);
        return hasTurn;
      },
      end: () => {
        if (hasTurn) this.#pass(key);
        hasTurn = false;
      },
    };
  }

  async #begin(key: string | undefined, most: number): Promise<boolean> {
    const line = this.#lines.get(key);
    if (line !== undefined) return this.#waitIn(line, most);
    this.#lines.set(key, new MemberLine());
    return true;
  }

  #waitIn(line: MemberLine<() => void>, most: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const callOff = this.#scheduler.alarm(most, () => {
      line.leave(go);
      resolve(false);
    });
    const go = () => {
      callOff();
      resolve(true);
    };
    line.join(go);
    return promise;
  }

  #pass(key: string | undefined): void {
    const next = this.#lines.get(key)?.take("oldest");
    if (next === undefined) this.#lines.delete(key);
    else next();
  }
}
