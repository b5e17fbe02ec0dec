import type { Admission, Outcome, Shedder, Work } from "./shedder.ts";
import { admission } from "./tally.ts";

/**
 * A shedder that decides and counts, and enforces nothing: all work is admitted, at once.
 *
 * What it would have done is in its events and numbers. It sees the work that a shedder would have
 * kept away, too, so it tells when shedding would begin, not how well that would have helped.
 */
export function shadowed(shedder: Shedder): Shedder<Admission> {
  return {
    name: shedder.name,
    admit: (work) => inShadow(shedder.admit(work), work),
    stats: () => shedder.stats(),
  };
}

function inShadow(verdict: Admission | Promise<Admission>, { priority }: Work = {}): Admission {
  let ended: Outcome | undefined;
  let known = verdict instanceof Promise ? undefined : verdict;
  if (verdict instanceof Promise) {
    verdict.then(
      (decided) => {
        known = decided;
        if (ended !== undefined) decided.done(ended);
      },
      () => {},
    );
  }
  const { limit = "", capacity = 0, remaining = 0 } = known ?? {};
  const yes = { ok: true, limit, capacity, remaining, retryAfter: 0, resetAfter: 0 };
  const decision = { ...yes, reason: undefined, degraded: undefined };
  return admission(decision, priority ?? "normal", (outcome) => {
    ended = outcome;
    known?.done(outcome);
  });
}
