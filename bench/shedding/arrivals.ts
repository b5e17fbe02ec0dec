/** Who asks, and when: requests that come whether or not the ones before were answered. Pure. */
import type { Random } from "spillway";
import { type ByPriority, PRIORITIES, type Priority } from "spillway/shedding";
import { seededRandom } from "spillway/testing";

/** The part that each priority has of all requests. */
export const MIX: ByPriority = { critical: 0.1, normal: 0.4, low: 0.3, background: 0.2 };

/** How many users there are, all of whom ask equally often. */
const USERS = 1000;

/** A request that is to be sent. */
export type Arrival = {
  /** Milliseconds from the start. */
  readonly due: number;
  readonly priority: Priority;
  readonly user: string;
};

/** How many there are in a second on average, and which of all possible runs it is. */
export type Stream = { readonly rate: number; readonly seed: number };

/** Without end, in the order in which they are due: a Poisson process. */
export function* arrivals({ rate, seed }: Stream): Generator<Arrival, never> {
  const random = seededRandom(seed);
  for (let due = 0; ; ) {
    due += (-Math.log(1 - random()) / rate) * 1000;
    yield { due, priority: drawPriority(random), user: `user:${Math.floor(random() * USERS)}` };
  }
}

function drawPriority(random: Random): Priority {
  let left = random();
  for (const priority of PRIORITIES) {
    left -= MIX[priority];
    if (left < 0) return priority;
  }
  return "background";
}
