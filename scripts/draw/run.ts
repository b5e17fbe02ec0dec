/** What a limit answers to the pattern, and what is left all the while: from the library itself. */
import { type Limit, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { LENGTH, PATTERN } from "./pattern.ts";

/** An ask and its answer. Times are milliseconds from the pattern's beginning. */
export type Answered = {
  readonly phase: string;
  readonly at: number;
  readonly ok: boolean;
  /** When the work starts, if it was admitted. */
  readonly start: number;
};

/** Whole units left from an instant on, after the asks of that instant. */
export type Step = { readonly at: number; readonly remaining: number };

export type Run = { readonly asks: readonly Answered[]; readonly steps: readonly Step[] };

/** How often what is left is read. */
const EVERY = 100;

/** Drives a limiter through the pattern. */
export function run(limit: Limit): Run {
  const clock = manualClock();
  const limiter = new RateLimiter({ shown: limit }, { store: memoryStore({ clock }) });
  const origin = clock();
  const asks: Answered[] = [];
  const steps: Step[] = [];
  for (let at = 0; at < LENGTH; at += EVERY) {
    clock.set(origin + at);
    for (const phase of asksAt(at)) {
      const { ok, retryAfter } = limiter.limit("shown");
      asks.push({ phase, at, ok, start: at + retryAfter });
    }
    note(steps, { at, remaining: limiter.value("shown").remaining });
  }
  return { asks, steps };
}

/** The phase of each ask that comes at an instant. */
function asksAt(at: number): readonly string[] {
  return PATTERN.flatMap(({ name, asks }) => asks.filter((one) => one === at).map(() => name));
}

function note(steps: Step[], step: Step): void {
  if (steps.at(-1)?.remaining !== step.remaining) steps.push(step);
}
