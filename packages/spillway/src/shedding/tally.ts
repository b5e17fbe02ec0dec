import { type Decision, type Reason, tellSafely } from "../core/index.ts";
import type { Cause, OnShedderEvent } from "./events.ts";
import { PRIORITIES, type Priority } from "./priority.ts";
import type { Admission, ByPriority, Outcome } from "./shedder.ts";

/** Who a tally is kept for. */
export type TallySettings = {
  readonly name: string;
  readonly shadow: boolean;
  readonly onEvent: OnShedderEvent | undefined;
};

/** What differs between two answers: units in flight, and milliseconds. */
export type Numbers = {
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
  /** As `retryAfter` unless said. */
  readonly resetAfter?: number;
  readonly degraded?: true | undefined;
};

/** Why not: in events, and in the answer, where it is `shed` unless said. */
export type Refusal = { readonly cause: Cause; readonly reason?: Reason };

/** Makes a shedder's answers, and counts them. */
export class Tally {
  readonly #settings: TallySettings;
  readonly #admitted = PRIORITIES.map(() => 0);
  readonly #shed = PRIORITIES.map(() => 0);
  #isOverloaded = false;

  constructor(settings: TallySettings) {
    this.#settings = settings;
  }

  get admitted(): ByPriority {
    return byPriority(this.#admitted);
  }

  get shed(): ByPriority {
    return byPriority(this.#shed);
  }

  /** Yes; `ended` is called once, when the work is done. */
  admit(priority: Priority, numbers: Numbers, ended: (outcome: Outcome) => void): Admission {
    count(this.#admitted, priority);
    return admission(this.#decision(numbers, undefined), priority, ended);
  }

  /** Yes, whatever happens, and counted nowhere. */
  exempt(priority: Priority, capacity: number): Admission {
    const decision = this.#decision({ capacity, remaining: 0, retryAfter: 0 }, undefined);
    return admission(decision, priority, IGNORE);
  }

  /** No, and why. */
  refuse(priority: Priority, numbers: Numbers, { cause, reason = "shed" }: Refusal): Admission {
    count(this.#shed, priority);
    const { name: shedder, shadow, onEvent } = this.#settings;
    tellSafely(onEvent, { type: "shed", shedder, priority, cause, shadow });
    return admission(this.#decision(numbers, reason), priority, IGNORE);
  }

  /** Tells when refusing begins, and when it ends. */
  overloaded(isOverloaded: boolean): void {
    if (isOverloaded === this.#isOverloaded) return;
    this.#isOverloaded = isOverloaded;
    const { name: shedder, onEvent } = this.#settings;
    tellSafely(onEvent, { type: isOverloaded ? "overloaded" : "recovered", shedder });
  }

  /** Tells that a signal could not be read. */
  signalFailed(error: Error): void {
    const { name: shedder, onEvent } = this.#settings;
    tellSafely(onEvent, { type: "signal failed", shedder, error });
  }

  #decision(numbers: Numbers, reason: Reason | undefined): Decision {
    const { capacity, remaining, retryAfter, resetAfter = retryAfter, degraded } = numbers;
    return {
      ok: reason === undefined,
      limit: this.#settings.name,
      capacity,
      remaining: Math.max(0, remaining),
      retryAfter,
      resetAfter,
      reason,
      degraded,
    };
  }
}

const IGNORE = () => {};

/** A decision on work, with which its end is told. */
export function admission(
  decision: Decision,
  priority: Priority,
  ended: (outcome: Outcome) => void,
): Admission {
  let isDone = false;
  const done = (outcome: Outcome = "served") => {
    if (isDone) return;
    isDone = true;
    ended(outcome);
  };
  return { ...decision, priority, done, [Symbol.dispose]: () => done("failed") };
}

function count(counts: number[], priority: Priority): void {
  const index = PRIORITIES.indexOf(priority);
  counts[index] = (counts[index] as number) + 1;
}

function byPriority(counts: readonly number[]): ByPriority {
  const [critical = 0, normal = 0, low = 0, background = 0] = counts;
  return { critical, normal, low, background };
}
