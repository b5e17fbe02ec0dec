/**
 * A store of one's own: it carries states and makes a step indivisible; the algorithms decide.
 *
 * This one keeps states in a map and never forgets a key: enough for a tool, not for a server. It
 * passes the suite that every store passes, which is what the story runs.
 */
import { begin, charge, decide, follow, settle, tell, untaken } from "spillway/algorithms";
import { type Ask, type Budget, type Clock, type Decision, State, type Store } from "spillway/core";
import { conformance } from "spillway/testing";

export function mapStore({ clock }: { readonly clock: Clock }): Store<"now"> {
  const states = new Map<string, State>();

  function stateOf({ plan, key }: Budget, now: number): State {
    const id = JSON.stringify([plan.limit, key]);
    const state = states.get(id) ?? new State();
    states.set(id, state);
    follow(state, plan, key, now);
    return state;
  }
  const value = (budget: Budget, now: number) => tell(stateOf(budget, now), budget.plan, now);

  function answerAll(asks: readonly Ask[], now: number, take: boolean): readonly Decision[] {
    const answers = asks.map((ask) => decide(stateOf(ask, now), ask.plan, ask, now));
    const all = answers.every(({ ok }) => ok);
    if (all && take) for (const ask of asks) charge(stateOf(ask, now), ask.plan, ask, now);
    if (all) return answers;
    return answers.map((one, i) => (one.ok ? untaken(one, value(asks[i] as Ask, now)) : one));
  }
  return {
    mode: "now",
    check: (ask) => answerAll([ask], clock(), false)[0] as Decision,
    limit: (ask) => answerAll([ask], clock(), true)[0] as Decision,
    checkAll: (asks) => answerAll(asks, clock(), false),
    limitAll: (asks) => answerAll(asks, clock(), true),
    settle(budget, settlement) {
      const now = clock();
      settle(stateOf(budget, now), budget.plan, settlement, now);
      return value(budget, now);
    },
    value: (budget) => value(budget, clock()),
    reset(budget) {
      const now = clock();
      begin(stateOf(budget, now), budget.plan, budget.key, now);
    },
    block(budget, ms) {
      const now = clock();
      stateOf(budget, now).blockedUntil = now + ms;
    },
    unblock(budget) {
      stateOf(budget, clock()).blockedUntil = 0;
    },
  };
}

export async function story(): Promise<string[]> {
  const cases = conformance((clock) => mapStore({ clock }));
  for (const { run } of cases) await run();
  return [`a store of one's own passes all ${cases.length} cases of the suite`];
}

if (import.meta.main) console.log((await story()).join("\n"));
