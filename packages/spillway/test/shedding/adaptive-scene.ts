/** An adaptive shedder on manual time, and those who ask it. */
import { seededRandom } from "spillway/testing";
import {
  type AdaptiveShedderOptions,
  type Admission,
  adaptiveShedder,
  PRIORITIES,
  type ShedderEvent,
  type Work,
} from "../../src/shedding/index.ts";
import { ManualScheduler } from "./manual-scheduler.ts";

/** A shedder on manual time, whose gate is at its threshold by default, and its events. */
export function fresh(options: AdaptiveShedderOptions = {}) {
  const scheduler = new ManualScheduler();
  const events: ShedderEvent[] = [];
  const shedder = adaptiveShedder({
    scheduler,
    clock: () => 0,
    random: seededRandom(1),
    gate: () => 1,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { scheduler, events, shedder };
}

export type Fresh = ReturnType<typeof fresh>;

/** Asks, and notes the answer when it is there. */
export function ask({ shedder }: Fresh, work: Work = {}) {
  const asked: { answer?: Admission } = {};
  const answer = shedder.admit(work);
  if (answer instanceof Promise)
    answer.then((admission) => Object.assign(asked, { answer: admission }));
  else asked.answer = answer;
  return asked;
}

/** Four in flight, which is the least cap, so that what comes next has to wait. */
export function busy(options: AdaptiveShedderOptions = {}) {
  const all = fresh({ least: 4, most: 4, ...options });
  const inFlight = Array.from({ length: 4 }, () => ask(all));
  return { ...all, inFlight };
}

/** Ends nothing, so that what comes waits for long: until it is overloaded. What was asked. */
export async function drown(all: Fresh, seconds = 3) {
  const asked: ReturnType<typeof ask>[] = [];
  for (let step = 0; step < seconds * 10; step++) {
    for (const priority of PRIORITIES) asked.push(ask(all, { priority }));
    await all.scheduler.advance(100);
  }
  return asked;
}
