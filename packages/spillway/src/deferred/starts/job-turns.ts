import { MemberLine } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";

/** A job's turn at the gate, which the jobs of a process call one after the other. */
export type JobTurn = {
  /** Whether another job has the turn. Then a new job must not overtake those that wait. */
  readonly isOthers: boolean;
  /** Waits for the turn, at most `most` milliseconds. Returns false if it did not come in time. */
  begin(most: number): Promise<boolean>;
  /** Passes the turn to the next job. Does nothing if this job does not have it. */
  end(): void;
};

/**
 * The turns of a process's jobs at the gate, for each key.
 *
 * Of many refused jobs, only one calls the gate again. Otherwise all would wake up together and be
 * refused together, which costs more than the starts.
 */
export class JobTurns {
  readonly #scheduler: Pick<Scheduler, "alarm">;
  /** The jobs that wait, for each key whose turn a job has. */
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
