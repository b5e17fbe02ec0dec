import type { Decision } from "../core/index.ts";
import type { Priority } from "./priority.ts";

/** A piece of work that asks to be started: a request, or a job. */
export type Work = {
  /** How much it matters; `"normal"` unless said. */
  readonly priority?: Priority;
  /**
   * Whose work it is: a user's or a tenant's id. Where a part of a priority has to go, it is all work
   * of some of them for a while, and none of the others. Left out, each piece of work is on its own.
   */
  readonly cohort?: string;
  /** Milliseconds from now after which nobody waits for the answer: it is not started then. */
  readonly deadline?: number;
  /** A health check: it is admitted whatever happens, and counted nowhere. */
  readonly exempt?: boolean;
};

/**
 * How admitted work ended.
 *
 * - `served`: it was answered; the time that it took says how the system is doing.
 * - `failed`: it broke off, so that its time says nothing.
 */
export type Outcome = "served" | "failed";

/** The answer to a piece of work. A refusal has the reason `shed`: it is the system, not the caller. */
export type Admission = Decision & {
  readonly priority: Priority;
  /** Tells how admitted work ended: once, whatever happens. Told again, or of a refusal, it is ignored. */
  done(outcome?: Outcome): void;
  /** The same, as `served`, at the end of a `using` block. */
  [Symbol.dispose](): void;
};

/** A number for each priority. */
export type ByPriority = { readonly [P in Priority]: number };

/** What a shedder has done so far, and how it stands. */
export type ShedderStats = {
  readonly admitted: ByPriority;
  /** Refused; in shadow, what would have been. */
  readonly shed: ByPriority;
  /** Admitted, and not done. */
  readonly inFlight: number;
  /** Held back, until there is room. */
  readonly waiting: number;
  /** The most that may be in flight; Infinity where that is not bounded. */
  readonly capacity: number;
  /** The share of what is asked that is not refused at once: from 0 to 1. */
  readonly share: number;
};

/** Decides which work is started while a system is in trouble. */
export type Shedder = {
  /** What it is called in decisions, events and numbers. */
  readonly name: string;
  /**
   * Decides: at once, or, where the work has to wait for its turn, when that has come.
   *
   * @throws SpillwayError `bad-priority`, `bad-work`
   */
  admit(work?: Work): Admission | Promise<Admission>;
  stats(): ShedderStats;
};
