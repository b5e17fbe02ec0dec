/** Limiters over memory, each with its first units. */
import {
  type CheckedLimits,
  type Limits,
  RateLimiter,
  type RateLimiterOptions,
} from "../src/index.ts";
import type { Clock } from "../src/limits/core/index.ts";
import { memoryStore } from "../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../src/testing/index.ts";

type Options = RateLimiterOptions<"now">;

/** A limiter whose clock stands still until the test moves it, and whose chance is always the same. */
export function fresh<const L extends Limits>(limits: L & CheckedLimits<L>, options: Options = {}) {
  const clock = manualClock();
  return { clock, ...freshBy<L>(clock, limits, options) };
}

/** The same by the clock of vitest's timers. */
export function freshByTimers<const L extends Limits>(
  limits: L & CheckedLimits<L>,
  options: Options = {},
) {
  return freshBy<L>(() => Date.now(), limits, options);
}

function freshBy<const L extends Limits>(
  clock: Clock,
  limits: L & CheckedLimits<L>,
  options: Options,
) {
  const store = memoryStore({ clock });
  const limiter = new RateLimiter<L, "now">(limits, { store, random: seededRandom(1), ...options });
  return { store, limiter };
}
