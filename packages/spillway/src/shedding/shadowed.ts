import { decisionOf } from "../limits/core/index.ts";
import { admission } from "./admission-tally.ts";
import type { Admission, Outcome, Shedder, Work } from "./shedder.ts";
import { knownPriority } from "./work.ts";

/**
 * Returns a shedder that decides and counts, but enforces nothing: all work is admitted at once.
 *
 * Its events and statistics show what it would have done. It also receives the work that an
 * enforcing shedder would have refused. So it shows when shedding would begin, but not how much
 * that would help.
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
        // The work ended before its turn came, so its duration does not count.
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
