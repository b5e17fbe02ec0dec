import { decisionOf } from "../limits/core/index.ts";
import { admission } from "./admission-tally.ts";
import type { Admission, Outcome, Shedder, Work } from "./shedder.ts";
import { knownPriority } from "./work.ts";

/**
 * A shedder that decides and counts, and enforces nothing: all work is admitted, at once.
 *
 * What it would have done is in its events and numbers. It sees the work that a shedder would have
 * kept away, too, so it shows when shedding would begin, not how well that would have helped.
 */
export function shadowed(shedder: Shedder): Shedder<Admission> {
  return {
    name: shedder.name,
    admit: (work) => inShadow(shedder, work),
    stats: () => shedder.stats(),
  };
}

function inShadow(shedder: Shedder, work: Work = {}): Admission {
  const verdict = shedder.admit(work);
  let ended: Outcome | undefined;
  let known = verdict instanceof Promise ? undefined : verdict;
  if (verdict instanceof Promise) {
    verdict.then(
      (decided) => {
        known = decided;
        // It is over before its turn came: its time says nothing.
        if (ended !== undefined) decided.done("failed");
      },
      () => {},
    );
  }
  const { limit = shedder.name, capacity = 0, remaining = 0 } = known ?? {};
  const decision = decisionOf({ limit, capacity }, { remaining });
  return admission(decision, knownPriority(work.priority), (outcome) => {
    ended = outcome;
    known?.done(outcome);
  });
}
