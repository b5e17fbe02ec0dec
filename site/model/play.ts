/** Traffic on a limit, decided by the library itself on a manual clock. Pure. */
import { type Decision, type Rate, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { hasWindows, type LimitSetup } from "./limit-setup.ts";
import { AttemptQueue } from "./queue.ts";
import { arrivalsOf, type Setup } from "./setup.ts";
import type { Arrivals } from "./traffic.ts";

/** The most decisions of one limit: clients that come back again and again are cut off there. */
export const MOST_DECISIONS = 50_000;

/** How often what is left is read, at least: as often as a wide picture has columns. */
const READINGS = 800;

/** How often it is read between two decisions, at most. */
const MOST_BETWEEN = READINGS;

type Numbers = "capacity" | "remaining" | "retryAfter" | "resetAfter";

/** A decision, with its request. Times are milliseconds from the beginning. */
export type Played = Pick<Decision, Numbers | "ok"> & {
  readonly reason?: Decision["reason"];
  readonly at: number;
  readonly request: number;
  readonly attempt: number;
};

/** Units left from an instant on, in milliseconds from the beginning. */
export type Reading = { readonly at: number; readonly remaining: number };

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
  const end = Math.max(traffic.duration, Math.min(limit.period, 2 * traffic.duration + 1000));
  const queue = new AttemptQueue();
  for (const [index, at] of traffic.arrivals.entries()) {
    queue.add({ at, request: index + 1, attempt: 1 });
  }
  while (!queue.isEmpty && stage.decisions.length < MOST_DECISIONS) {
    const { at, request, attempt } = queue.next();
    stage.readUntil(at, end / READINGS);
    const { ok, retryAfter } = stage.decide({ at, request, attempt });
    const returns = setup.obeys && !ok && Number.isFinite(retryAfter);
    if (returns) queue.add({ at: at + retryAfter, request, attempt: attempt + 1 });
  }
  const last = Math.max(end, (stage.decisions.at(-1)?.at ?? 0) + 1);
  stage.readUntil(last, end / READINGS);
  const { decisions, readings } = stage;
  return { limit, decisions, readings, end: last, cut: !queue.isEmpty };
}

type Moment = { readonly at: number; readonly request: number; readonly attempt: number };

/** One limiter, its clock, and what has been recorded. */
class Stage {
  readonly decisions: Played[] = [];
  readonly readings: Reading[] = [];
  readonly #clock = manualClock();
  readonly #origin = this.#clock();
  readonly #limiter: RateLimiter<{ requests: Rate }>;
  readonly #units: number;
  #readAt = 0;

  constructor(limit: LimitSetup, { units, aligned }: Setup) {
    const windows = hasWindows(limit.kind) && aligned ? { start: this.#origin } : {};
    const requests = { ...limit, ...windows } as Rate;
    const store = memoryStore({ clock: this.#clock });
    this.#limiter = new RateLimiter({ requests }, { store, warn: () => {} });
    this.#units = units;
  }

  /** Reads what is left at a distance of `step`, up to an instant. */
  readUntil(at: number, step: number): void {
    if (at <= this.#readAt) return;
    // After a wait of days, a few readings have to do.
    const apart = Math.max(step, (at - this.#readAt) / MOST_BETWEEN);
    for (; this.#readAt < at; this.#readAt += apart) this.#read(Math.floor(this.#readAt));
    this.#readAt = at;
    this.#read(at);
  }

  decide(moment: Moment): Played {
    this.#clock.set(this.#origin + moment.at);
    const asked = { key: KEY, count: this.#units };
    const { ok, capacity, remaining, retryAfter, resetAfter, reason } = this.#limiter.limit(
      "requests",
      asked,
    );
    const numbers = { ok, capacity, remaining, retryAfter, resetAfter };
    const played = { ...moment, ...numbers, ...(reason !== undefined && { reason }) };
    this.decisions.push(played);
    this.#note({ at: moment.at, remaining });
    return played;
  }

  #read(at: number): void {
    this.#clock.set(this.#origin + at);
    const { remaining } = this.#limiter.value("requests", { key: KEY });
    this.#note({ at, remaining });
  }

  /** Keeps a reading where the number changes; of one instant, the last. */
  #note(reading: Reading): void {
    const last = this.readings.at(-1);
    if (last?.remaining === reading.remaining) return;
    if (last?.at === reading.at) this.readings.pop();
    this.readings.push(reading);
  }
}

/** Whose budget it is, here and in the code that is copied. */
export const KEY = "user 42";
