import type { Clock, Store } from "../../../src/limits/core/index.ts";
import { type Executor, resilient } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { stepsStore } from "../postgres/steps-store.ts";

/** A store that can be taken away and brought back: steps in this process, behind all that shared stores have. */
export function breakableStore(clock: Clock) {
  const steps = stepsStore(clock);
  let isAway = false;
  const executor: Executor<"later"> = {
    timing: "later",
    name: "steps",
    execute: async (commands) => {
      if (isAway) throw new Error("away");
      return commands.map((command) => ({ answer: steps.execute(command) as never }));
    },
  };
  // One that never gives up, and is asked again at once.
  const patient = { deadline: 20_000, breaker: { failures: 1_000_000 } };
  const store: Store<"later"> = resilient(executor, { ...patient, local: memoryStore, clock });
  return {
    store,
    leave: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
  };
}
