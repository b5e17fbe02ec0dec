/**
 * A store of one's own: it carries states and makes a step indivisible; the algorithms decide.
 *
 * This one keeps states in a map and never forgets a key: enough for a tool, not for a server. It
 * passes the suite that every store passes, which is what the story runs.
 */
import { Steps } from "spillway/algorithms";
import { type Budget, type Clock, checkedClock, State, type Store } from "spillway/core";
import { conformance } from "spillway/testing";

export function mapStore(options: { readonly clock: Clock }): Store<"now"> {
  const clock = checkedClock(options.clock);
  const states = new Map<string, State>();
  const steps = new Steps(({ plan, key }: Budget) => {
    const id = JSON.stringify([plan.limit, key]);
    const state = states.get(id) ?? new State();
    states.set(id, state);
    return state;
  });
  return {
    mode: "now",
    limit: (ask) => steps.limit(ask, clock()),
    check: (ask) => steps.check(ask, clock()),
    limitAll: (asks) => steps.limitAll(asks, clock()),
    checkAll: (asks) => steps.checkAll(asks, clock()),
    settle: (budget, settlement) => steps.settle(budget, settlement, clock()),
    release: (budget, held) => steps.release(budget, held, clock()),
    renew: (budget, held) => steps.renew(budget, held, clock()),
    value: (budget) => steps.value(budget, clock()),
    look: (budgets) => budgets.map((budget) => steps.look(budget, clock())),
    reset: (budget) => steps.reset(budget, clock()),
    block: (budget, ms) => steps.block(budget, ms, clock()),
    unblock: (budget) => steps.unblock(budget, clock()),
  };
}

export async function story(): Promise<string[]> {
  const cases = conformance((clock) => mapStore({ clock }));
  for (const { run } of cases) await run();
  return [`a store of one's own passes all ${cases.length} cases of the suite`];
}

if (import.meta.main) console.log((await story()).join("\n"));
