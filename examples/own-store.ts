/**
 * A store of one's own, with all that a store across a network has: what is asked in one turn shares a
 * request, a deadline, a breaker, decisions while it is away, shards, and a cache of refusals.
 *
 * This one keeps states in a map, behind a promise, and never forgets a key: enough for a tool, not for
 * a server. It passes the suite that every store passes, which is what the story runs.
 */
import { Steps } from "spillway/algorithms";
import { budgetId, type Clock, checkedClock, State, type Store } from "spillway/core";
import { memoryStore } from "spillway/memory";
import { denialCache, type Executor, resilient, sharded } from "spillway/store";
import { conformance } from "spillway/testing";

export function mapStore(options: { readonly clock: Clock }): Store<"later"> {
  const clock = checkedClock(options.clock);
  const states = new Map<string, State>();
  const executor: Executor<"later"> = {
    mode: "later",
    name: "a map",
    async execute(commands, { observer }) {
      const steps = new Steps((budget) => {
        const state = states.get(budgetId(budget)) ?? new State();
        states.set(budgetId(budget), state);
        return state;
      }, observer);
      const now = clock();
      return commands.map((command) => ({ answer: steps.execute(command, now) }));
    },
  };
  return sharded(denialCache(resilient(executor, { local: memoryStore }), { clock }));
}

export async function story(): Promise<string[]> {
  const cases = conformance((clock) => mapStore({ clock }));
  for (const { run } of cases) await run();
  return [`a store of one's own passes all ${cases.length} cases of the suite`];
}

if (import.meta.main) console.log((await story()).join("\n"));
