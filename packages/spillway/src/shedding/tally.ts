import type { Decision } from "../core/index.ts";
import { type Cause, type OnShedderEvent, tellSafely } from "./events.ts";
import { PRIORITIES, type Priority } from "./priority.ts";
import type { Admission, ByPriority, Outcome } from "./shedder.ts";

/** Who a tally is kept for. */
export type TallySettings = {
  readonly name: string;
  readonly shadow: boolean;
  readonly onEvent: OnShedderEvent | undefined;
};

/** What differs between two answers: units in flight, and milliseconds. */
type Numbers = {
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
};

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
    return admission(this.#decision(numbers), priority, ended);
  }

  /** No, and why. */
  refuse(priority: Priority, numbers: Numbers, cause: Cause): Admission {
    count(this.#shed, priority);
    const { name: shedder, shadow, onEvent } = this.#settings;
    tellSafely(onEvent, { type: "shed", shedder, priority, cause, shadow });
    const decision = { ...this.#decision(numbers), ok: false, reason: "shed" } as const;
    return admission(decision, priority, IGNORE);
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

  #decision({ capacity, remaining, retryAfter }: Numbers): Decision {
    return {
      ok: true,
      limit: this.#settings.name,
      capacity,
      remaining: Math.max(0, remaining),
      retryAfter,
      resetAfter: retryAfter,
      reason: undefined,
      degraded: undefined,
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
  return { ...decision, priority, done, [Symbol.dispose]: () => done() };
}

function count(counts: number[], priority: Priority): void {
  const index = PRIORITIES.indexOf(priority);
  counts[index] = (counts[index] as number) + 1;
}

function byPriority(counts: readonly number[]): ByPriority {
  const [critical = 0, normal = 0, low = 0, background = 0] = counts;
  return { critical, normal, low, background };
}
