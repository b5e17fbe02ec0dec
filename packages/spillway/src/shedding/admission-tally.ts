import { notify, PRIORITIES, type Priority } from "../internal/index.ts";
import {
  consoleWarn,
  type Decision,
  decisionOf,
  type Reason,
  type SpillwayError,
} from "../limits/core/index.ts";
import type { OnShedderEvent, ShedCause, ShedderEvent } from "./events.ts";
import type { Admission, ByPriority, Outcome } from "./shedder.ts";

/** The settings of the shedder whose admissions are counted. */
export type TallySettings = {
  readonly name: string;
  readonly shadow: boolean;
  readonly onEvent: OnShedderEvent | undefined;
};

/** The numbers that differ between answers: units in flight, and milliseconds. */
export type AdmissionNumbers = {
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
  /** Default: `retryAfter`. */
  readonly resetAfter?: number;
  readonly degraded?: true | undefined;
};

/**
 * Why work is refused: the cause for events, and the reason for the answer. Default of the reason:
 * `shed`.
 */
export type ShedRefusal = { readonly cause: ShedCause; readonly reason?: Reason };

/** Creates a shedder's answers, and counts them. */
export class AdmissionTally {
  readonly #settings: TallySettings;
  readonly #admitted = PRIORITIES.map(() => 0);
  readonly #shed = PRIORITIES.map(() => 0);
  /** The fields of work for which an invalid value has been reported. */
  readonly #badFields = new Set<string>();
  #isOverloaded = false;
  #isNotifying = false;

  constructor(settings: TallySettings) {
    this.#settings = settings;
  }

  get admitted(): ByPriority {
    return byPriority(this.#admitted);
  }

  get shed(): ByPriority {
    return byPriority(this.#shed);
  }

  /** Admits work and counts it. `ended` is called once, when the work ends. */
  admit(
    priority: Priority,
    numbers: AdmissionNumbers,
    ended: (outcome: Outcome) => void,
  ): Admission {
    count(this.#admitted, priority);
    return admission(this.#decision(numbers, undefined), priority, ended);
  }

  /** Admits work in any case, and does not count it. */
  exempt(priority: Priority, capacity: number): Admission {
    const decision = this.#decision({ capacity, remaining: 0, retryAfter: 0 }, undefined);
    return admission(decision, priority, IGNORE);
  }

  /** Refuses work, counts the refusal, and reports it. */
  refuse(
    priority: Priority,
    numbers: AdmissionNumbers,
    { cause, reason = "shed" }: ShedRefusal,
  ): Admission {
    count(this.#shed, priority);
    const { name: shedder, shadow } = this.#settings;
    this.#notify({ type: "shed", shedder, priority, cause, shadow });
    return admission(this.#decision(numbers, reason), priority, IGNORE);
  }

  /** Reports when an overload begins and when it ends. */
  overloaded(isOverloaded: boolean): void {
    if (isOverloaded === this.#isOverloaded || this.#isNotifying) return;
    this.#isOverloaded = isOverloaded;
    const { name: shedder } = this.#settings;
    this.#notify({ type: isOverloaded ? "overloaded" : "recovered", shedder });
  }

  /** Reports that a signal or a cap failed. */
  signalFailed(error: Error): void {
    this.#notify({ type: "signal failed", shedder: this.#settings.name, error });
  }

  /** Reports an invalid value once for each field, because clients may send many. */
  badWork(field: string, problem: () => SpillwayError): void {
    if (this.#badFields.has(field) || this.#isNotifying) return;
    this.#badFields.add(field);
    const { name: shedder, onEvent } = this.#settings;
    const error = problem();
    if (onEvent === undefined) consoleWarn(`${shedder}: ${error.message}`);
    else this.#notify({ type: "bad work", shedder, error });
  }

  /** Events that the listener itself causes are not reported to it, to avoid an endless loop. */
  #notify(event: ShedderEvent): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    notify(this.#settings.onEvent, event);
    this.#isNotifying = false;
  }

  #decision(numbers: AdmissionNumbers, reason: Reason | undefined): Decision {
    const { capacity, remaining, retryAfter, resetAfter = retryAfter, degraded } = numbers;
    const limit = { limit: this.#settings.name, capacity };
    const left = Math.max(0, remaining);
    return decisionOf(limit, { remaining: left, retryAfter, resetAfter, reason, degraded });
  }
}

const IGNORE = () => {};

/** Creates an admission: a decision, and the function that reports the end of the work. */
export function admission(
  decision: Decision,
  priority: Priority,
  ended: (outcome: Outcome) => void,
): Admission {
  let isDone = false;
  // Any other value counts as served, because `work.then(done)` passes the result of the work.
  const done = (outcome: Outcome = "served") => {
    if (isDone) return;
    isDone = true;
    ended(outcome === "failed" || outcome === "streaming" ? outcome : "served");
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
