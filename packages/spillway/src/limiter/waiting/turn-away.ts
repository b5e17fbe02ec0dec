import { readNow } from "../../internal/index.ts";
import {
  type Ask,
  type Decision,
  refused,
  type Store,
  type Timing,
} from "../../limits/core/index.ts";
import { FIRST_PAUSE } from "./pauses.ts";
import type { WaitingCall } from "./waiter.ts";

type TurnAwaySettings<M extends Timing> = {
  readonly store: Pick<Store<M>, "execute"> & Required<Pick<Store<M>, "limit">>;
  /** Returns the same ask by the present definition of its limit. */
  readonly anew: (ask: Ask) => Ask;
};

/**
 * Refuses a call that can't wait, unless its limit is not enforced any more. It only checks, so it
 * does not overtake the calls that wait.
 */
export async function turnAway<M extends Timing>(
  { store, anew }: TurnAwaySettings<M>,
  given: Ask,
): Promise<WaitingCall> {
  const ask = anew(given);
  const [checked] = await store.execute({ verb: "check", budgets: [ask] });
  const decision = checked as Decision;
  const asked = readNow();
  if (!decision.ok) return { ask, decision, asked };
  if (decision.mode !== undefined) return { ask, decision: await store.limit(ask), asked };
  const refusal = refused(decision, { retryAfter: FIRST_PAUSE, reason: "limited" });
  return { ask, decision: refusal, asked };
}
