/** Traffic on a limit, decided by the library itself on a manual clock. Pure. */
import { isConcurrency, type LimitSetup } from "./limit-setup.ts";
import type { Played, Reading } from "./played.ts";
import { AttemptQueue } from "./queue.ts";
import { arrivalsOf, type Setup } from "./setup.ts";
import { Stage } from "./stage.ts";
import type { Arrivals } from "./traffic.ts";

/** The most decisions of one limit: clients that come back again and again are cut off there. */
export const MOST_DECISIONS = 50_000;

/** How often what is left is read, at least: as often as a wide picture has columns. */
const READINGS = 800;

export type Play = {
  readonly limit: LimitSetup;
  readonly decisions: readonly Played[];
  readonly readings: readonly Reading[];
  /** The end of the picture, in milliseconds. */
  readonly end: number;
  /** Whether clients would have come back more often than is played. */
  readonly cut: boolean;
};

/** Plays the traffic of a setup on each of its limits. @throws Error for a setup out of bounds */
export function playAll(setup: Setup): readonly Play[] {
  const traffic = arrivalsOf(setup);
  return setup.limits.map((limit) => play(limit, setup, traffic));
}

/** Plays traffic on one limit. */
export function play(limit: LimitSetup, setup: Setup, traffic: Arrivals): Play {
  const stage = new Stage(limit, setup);
  const end = endOf(limit, traffic);
  const queue = new AttemptQueue(traffic.arrivals);
  while (!queue.isEmpty && stage.decisions.length < MOST_DECISIONS) {
    const moment = queue.next();
    const { at, request, attempt } = moment;
    stage.readUntil(at, end / READINGS);
    const { ok, retryAfter } = stage.decide(moment);
    const returns = setup.obeys && !ok && Number.isFinite(retryAfter);
    if (returns) queue.add({ at: at + retryAfter, request, attempt: attempt + 1 });
  }
  const last = Math.max(end, (stage.decisions.at(-1)?.at ?? 0) + 1);
  stage.readUntil(last, end / READINGS);
  stage.read(last);
  const { decisions, readings } = stage;
  return { limit, decisions, readings, end: last, cut: !queue.isEmpty };
}

/** Shows the period after the traffic too, or the last work, unless that is much longer. */
function endOf(limit: LimitSetup, { arrivals, duration }: Arrivals): number {
  const after = isConcurrency(limit) ? (arrivals.at(-1) ?? 0) + limit.work + 1 : limit.period;
  return Math.max(duration, Math.min(after, 2 * duration + 1000));
}
