/**
 * A store of one's own: it carries states and makes a step indivisible; the algorithms decide.
 *
 * This one keeps states in a map and never forgets a key: enough for a tool, not for a server. It
 * passes the suite that every store passes, which is what the story runs.
 */
import { adopt, decide, isAhead, open, rewind, tell } from "spillway/algorithms";
import { type Ask, type Budget, type Clock, type Decision, State, type Store } from "spillway/core";
import { conformance } from "spillway/testing";

export function mapStore({ clock }: { readonly clock: Clock }): Store<"now"> {
  const states = new Map<string, State>();

  /** A budget's state, once it has followed its limit and the clock. */
  function stateOf({ plan, key }: Budget, now: number): State {
    const id = JSON.stringify([plan.limit, key]);
    const state = states.get(id) ?? new State();
    if (state.plan === undefined) open(state, plan, key, now);
    else if (state.plan !== plan) adopt(state, plan, key, now);
    if (isAhead(state, plan, now)) rewind(state, plan, now);
    states.set(id, state);
    return state;
  }
  const answer = (asks: readonly Ask[], now: number) =>
    asks.map((ask) => decide(stateOf(ask, now), ask.plan, ask, now));
  const take = (asks: readonly Ask[], now: number) => {
    const answers = answer(asks, now);
    const charged = answers.every(({ ok }) => ok) ? asks : [];
    for (const ask of charged) ask.plan.algorithm.charge(stateOf(ask, now), ask.plan, ask, now);
    return answers;
  };
  const blockUntil = (budget: Budget, instant: number) => {
    stateOf(budget, clock()).blockedUntil = instant;
  };
  return {
    mode: "now",
    check: (ask) => answer([ask], clock())[0] as Decision,
    limit: (ask) => take([ask], clock())[0] as Decision,
    checkAll: (asks) => answer(asks, clock()),
    limitAll: (asks) => take(asks, clock()),
    settle(budget, settlement) {
      const now = clock();
      budget.plan.algorithm.settle(stateOf(budget, now), budget.plan, settlement, now);
      return this.value(budget);
    },
    value: (budget) => tell(stateOf(budget, clock()), budget.plan, clock()),
    reset: (budget) => open(stateOf(budget, clock()), budget.plan, budget.key, clock()),
    block: (budget, ms) => blockUntil(budget, clock() + ms),
    unblock: (budget) => blockUntil(budget, 0),
  };
}

export async function story(): Promise<string[]> {
  const cases = conformance((clock) => mapStore({ clock }));
  for (const { run } of cases) await run();
  return [`a store of one's own passes all ${cases.length} cases of the suite`];
}

if (import.meta.main) console.log((await story()).join("\n"));
