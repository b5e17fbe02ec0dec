import { type ClockReading, readNow } from "../../internal/index.ts";
import {
  type Ask,
  type Decision,
  type Mode,
  refused,
  type Store,
} from "../../limits/core/index.ts";

/** Milliseconds until a store is asked again for units that another process may have released. */
export const FIRST_PAUSE = 25;

/** A call, and its final decision. */
export type WaitingCall = {
  readonly ask: Ask;
  readonly decision: Decision;
  /** When the request was sent to the store. */
  readonly asked: ClockReading;
};

/** Refuses a call that can't wait. It only checks, so it does not overtake the waiters. */
export async function turnAway<M extends Mode>(store: Store<M>, ask: Ask): Promise<WaitingCall> {
  const [checked] = await store.execute({ verb: "check", budgets: [ask] });
  const decision = checked as Decision;
  if (!decision.ok) return { ask, decision, asked: readNow() };
  const refusal = refused(decision, { retryAfter: FIRST_PAUSE, reason: "limited" });
  return { ask, decision: refusal, asked: readNow() };
}

/** Releases a lease that was granted to a call which no longer waits. */
export function takeBack<M extends Mode>(store: Store<M>, { plan, key, count, lease }: Ask): void {
  const ref = { id: lease?.id as number, count };
  new Promise((done) =>
    done(store.execute({ verb: "release", budgets: [{ plan, key }], lease: ref })),
  ).catch(() => {});
}
