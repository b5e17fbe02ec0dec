import { plainBudgetId } from "../../../src/internal/index.ts";
import { Steps } from "../../../src/limits/algorithms/index.ts";
import { type Budget, type Clock, State, type Store } from "../../../src/limits/core/index.ts";

/**
 * The steps on states in this process, all of which are kept: beside it other stores can be seen to
 * forget nothing, where the one in memory forgets what a clock may still go back to.
 */
export function stepsStore(clock: Clock): Store<"now"> {
  const states = new Map<string, State>();
  const steps = new Steps((budget: Budget) => {
    const id = plainBudgetId(budget);
    const state = states.get(id) ?? new State();
    states.set(id, state);
    return state;
  });
  return { timing: "now", execute: (command) => steps.execute(command, clock()) };
}
