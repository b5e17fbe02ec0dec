/**
 * A store of one's own, with all that a store across a network has: what is asked in one turn shares a
 * request, a deadline, a breaker, decisions while it is away, shards, and a cache of refusals.
 *
 * This one keeps states in a map, behind a promise, and never forgets a key: enough for a tool, not for
 * a server. It passes the suite that every store passes, which is what the story runs.
 */
import { RateLimiter } from "spillway";
import { Steps } from "spillway/algorithms";
import { budgetId, type Clock, checkedClock, State, type Store, systemClock } from "spillway/core";
import { memoryStore } from "spillway/memory";
import { denialCache, type Executor, resilient, sharded } from "spillway/store";
import { conformance } from "spillway/testing";

/** @param asked Called for each request. */
function executor(clock: Clock, asked: () => void = () => {}): Executor<"later"> {
  const states = new Map<string, State>();
  return {
    timing: "later",
    name: "a map",
    async execute(commands, { observer }) {
      asked();
      const steps = new Steps((budget) => {
        const state = states.get(budgetId(budget)) ?? new State();
        states.set(budgetId(budget), state);
        return state;
      }, observer);
      const now = clock();
      return commands.map((command) => ({ answer: steps.execute(command, now) }));
    },
  };
}

export function mapStore(clock: Clock, asked?: () => void): Store<"later"> {
  const store = resilient(executor(checkedClock(clock), asked), { local: memoryStore });
  return sharded(denialCache(store));
}

export async function story(): Promise<string[]> {
  // Without the cache, whose clock does not jump as those of the suite do.
  const cases = conformance((clock) => sharded(resilient(executor(checkedClock(clock)))));
  for (const { run } of cases) await run();
  const passed = `a store of one's own passes all ${cases.length} cases of the suite`;
  let requests = 0;
  const flooded = new RateLimiter(
    { search: { kind: "token bucket", rate: 10, period: "1h" } },
    { store: mapStore(systemClock, () => requests++) },
  );
  for (let ask = 0; ask < 100; ask++) await flooded.limit("search");
  return [passed, `100 asks of which 10 are admitted cost it ${requests} requests`];
}

if (import.meta.main) console.log((await story()).join("\n"));
