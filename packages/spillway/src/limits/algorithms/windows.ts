/** The windows of fixed and sliding windows. All functions are pure. */
import type { Plan, State } from "../core/index.ts";

/**
 * Returns the beginning of the window that contains `now`, if some window begins at `anchor`. For
 * kinds without windows it is `now`.
 */
export function windowStart(anchor: number, { windowAlignment }: Plan, now: number): number {
  const into = (now - anchor) % windowAlignment;
  return now - (into < 0 ? into + windowAlignment : into);
}

/** Returns how many windows have ended since the state's window began; 0 until it ends. */
export function windowsGone(state: State, plan: Plan, now: number): number {
  const elapsed = now - state.since;
  return elapsed < plan.period ? 0 : Math.floor(elapsed / plan.period);
}
