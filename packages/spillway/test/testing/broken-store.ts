/** A store that is right but for one mistake: what a suite for stores has to find. */
import { Steps } from "../../src/limits/algorithms/index.ts";
import {
  type AnswerTo,
  type Budget,
  type Command,
  State,
  type Store,
} from "../../src/limits/core/index.ts";

/** What a store does with its states while it carries out a command. */
export type Scene = {
  readonly states: Map<string, State>;
  readonly command: Command;
  readonly now: number;
  /** Carries a command out on the states as they are. */
  readonly carryOut: <C extends Command>(command: C, now?: number) => AnswerTo<C>;
};

/** A mistake; what is left out is done right. */
export type Mistake = {
  /** The name under which a state is kept. */
  readonly nameOf?: (budget: Budget) => string;
  /** What is carried out instead of a command. */
  readonly command?: (command: Command) => Command;
  /** What a command is answered, and does. */
  readonly execute?: (scene: Scene) => unknown;
  /** What becomes of a state when it is written. */
  readonly saved?: (state: State, now: number) => void;
  /** What becomes of all of them. */
  readonly kept?: (states: Map<string, State>, now: number) => void;
  /** The time as the store sees it. */
  readonly clock?: (now: number) => number;
};

export const rightName = ({ plan, key }: Budget): string =>
  JSON.stringify([plan.limit, key ?? null]);

/** Makes a store with a mistake; without one, of `{}`, it is right. */
export function brokenStore(clock: () => number, mistake: Mistake): Store<"now"> {
  const { nameOf = rightName, saved, kept, execute } = mistake;
  const states = new Map<string, State>();
  const steps = new Steps((budget) => {
    const name = nameOf(budget);
    const known = states.get(name) ?? new State();
    states.set(name, known);
    return known;
  });
  // An instant before 1970 counts as 1970.
  const timeOf = () => Math.max(0, mistake.clock?.(clock()) ?? clock());
  const carryOut = <C extends Command>(command: C, now = timeOf()): AnswerTo<C> => {
    const answer = steps.execute(command, now);
    for (const budget of command.budgets) {
      const state = states.get(nameOf(budget));
      if (state !== undefined) saved?.(state, now);
    }
    kept?.(states, now);
    return answer;
  };
  return {
    timing: "now",
    execute<C extends Command>(asked: C): AnswerTo<C> {
      const command = (mistake.command?.(asked) ?? asked) as C;
      const now = timeOf();
      if (execute === undefined) return carryOut(command, now);
      return execute({ states, command, now, carryOut }) as AnswerTo<C>;
    },
  };
}
