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

/** Who a tally is kept for. */
export type TallySettings = {
  readonly name: string;
  readonly shadow: boolean;
  readonly onEvent: OnShedderEvent | undefined;
};

/** What differs between two answers: units in flight, and milliseconds. */
export type AdmissionNumbers = {
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
  /** Default: as `retryAfter`. */
  readonly resetAfter?: number;
  readonly degraded?: true | undefined;
};

/** Why not: in events, and in the answer. Default there: `shed`. */
export type ShedRefusal = { readonly cause: ShedCause; readonly reason?: Reason };

/** Makes a shedder's answers, and counts them. */
export class AdmissionTally {
  readonly #settings: TallySettings;
  readonly #admitted = PRIORITIES.map(() => 0);
  readonly #shed = PRIORITIES.map(() => 0);
  /** Fields of work that were not understood. */
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

  /** Yes; `ended` is called once, when the work is done. */
  admit(
    priority: Priority,
    numbers: AdmissionNumbers,
    ended: (outcome: Outcome) => void,
  ): Admission {
    count(this.#admitted, priority);
    return admission(this.#decision(numbers, undefined), priority, ended);
  }

  /** Yes, whatever happens, and counted nowhere. */
  exempt(priority: Priority, capacity: number): Admission {
    const decision = this.#decision({ capacity, remaining: 0, retryAfter: 0 }, undefined);
    return admission(decision, priority, IGNORE);
  }

  /** No, and why. */
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

  /** Reports when refusing begins, and when it ends. */
  overloaded(isOverloaded: boolean): void {
    if (isOverloaded === this.#isOverloaded || this.#isNotifying) return;
    this.#isOverloaded = isOverloaded;
    const { name: shedder } = this.#settings;
    this.#notify({ type: isOverloaded ? "overloaded" : "recovered", shedder });
  }

  /** Reports that a signal could not be read. */
  signalFailed(error: Error): void {
    this.#notify({ type: "signal failed", shedder: this.#settings.name, error });
  }

  /** Reports a value that was not understood: once for each field, for a stranger may send many. */
  badWork(field: string, problem: () => SpillwayError): void {
    if (this.#badFields.has(field) || this.#isNotifying) return;
    this.#badFields.add(field);
    const { name: shedder, onEvent } = this.#settings;
    const error = problem();
    if (onEvent === undefined) consoleWarn(`${shedder}: ${error.message}`);
    else this.#notify({ type: "bad work", shedder, error });
  }

  /** What the listener causes itself is not reported to it, or that would never end. */
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

/** A decision on work, with which its end is reported. */
export function admission(
  decision: Decision,
  priority: Priority,
  ended: (outcome: Outcome) => void,
): Admission {
  let isDone = false;
  // Also for `work.then(done)`, which passes what the work returns.
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
