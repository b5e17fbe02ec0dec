/** Who asks, and when: requests that come whether or not the ones before were answered. Pure. */
import type { Random } from "spillway";
import { type ByPriority, PRIORITIES, type Priority } from "spillway/shedding";
import { seededRandom } from "spillway/testing";

/** Each priority's part of all requests. */
export const MIX: ByPriority = { critical: 0.1, normal: 0.4, low: 0.3, background: 0.2 };

/** What is asked for. */
export const PATHS = {
  work: "/work",
  /** A response that stays open, of which the shedder knows nothing more. */
  stream: "/stream",
  /** The same, where the shedder learns that it stays open. */
  announced: "/announced",
  /** Whether the server is alive. */
  health: "/healthz",
} as const;

/** Responses that stay open: which, and how many of all requests a second are for them. */
export type Streams = { readonly path: string; readonly rate: number };

/** A request that is to be sent. */
export type Arrival = {
  /** Milliseconds from the start. */
  readonly due: number;
  readonly path: string;
  readonly priority: Priority;
};

/** A span of one load. */
export type Phase = {
  readonly ms: number;
  /** Requests a second, on average. */
  readonly rate: number;
  /** Default: none. */
  readonly streams?: Streams | undefined;
};

/** What comes in which order, and which of all possible runs it is. */
export type Schedule = { readonly phases: readonly Phase[]; readonly seed: number };

/** All requests for work, in the order in which they are due: a Poisson process in each phase. */
export function* arrivals({ phases, seed }: Schedule): Generator<Arrival, void> {
  const random = seededRandom(seed);
  let start = 0;
  for (const { ms, rate, streams } of phases) {
    const end = start + ms;
    for (let due = start + gap(random, rate); due < end; due += gap(random, rate)) {
      yield { due, path: drawPath(random, { rate, streams }), priority: drawPriority(random) };
    }
    start = end;
  }
}

/** Milliseconds from one health check to the next. */
const HEALTH_EVERY = 250;

/** Health checks at even distances, for as long as the phases last. */
export function* healthChecks({ phases }: Pick<Schedule, "phases">): Generator<Arrival, void> {
  const end = phases.reduce((sum, { ms }) => sum + ms, 0);
  for (let due = 0; due < end; due += HEALTH_EVERY) {
    yield { due, path: PATHS.health, priority: "critical" };
  }
}

/** Milliseconds to the next of so many a second. */
function gap(random: Random, rate: number): number {
  return (-Math.log(1 - random()) / rate) * 1000;
}

function drawPath(random: Random, { rate, streams }: Omit<Phase, "ms">): string {
  return streams !== undefined && random() * rate < streams.rate ? streams.path : PATHS.work;
}

function drawPriority(random: Random): Priority {
  let left = random();
  for (const priority of PRIORITIES) {
    left -= MIX[priority];
    if (left < 0) return priority;
  }
  return "background";
}
