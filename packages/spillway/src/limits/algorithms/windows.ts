/** The windows that fixed and sliding windows share. All pure. */
import type { Plan, State } from "../core/index.ts";

/** The beginning of the window that holds `now`, where some window begins at `anchor`; else `now`. */
export function windowStart(anchor: number, { windowAlignment }: Plan, now: number): number {
  const into = (now - anchor) % windowAlignment;
  return now - (into < 0 ? into + windowAlignment : into);
}

/** How many windows have ended since the state's window began; 0 while it lasts. */
export function windowsGone(state: State, plan: Plan, now: number): number {
  const elapsed = now - state.since;
  return elapsed < plan.period ? 0 : Math.floor(elapsed / plan.period);
}
