import { abilities, asAnswer } from "../../../internal/index.ts";
import type { Command, CommandOf, StoreWithin, Timing } from "../../../limits/core/index.ts";
import { withBudgets } from "../../port/with-budgets.ts";
import { keepsPlaces, keptBudget } from "./kept-plan.ts";

/**
 * Returns a store in a transaction that treats places as the one outside does. The store decides
 * everything, because state held here is not rolled back.
 */
export function placesWithin<M extends Timing>(store: StoreWithin<M>): StoreWithin<M> {
  const { timing, register, isOver } = store;
  return {
    timing,
    ...abilities(store),
    ...(register && { register: register.bind(store) }),
    ...(isOver && {
      isOver: (command: CommandOf<"release" | "renew">) =>
        isOver.call(store, withBudgets(command, keptBudget)),
    }),
    execute<C extends Command>(command: C) {
      if (!command.budgets.some(({ plan }) => plan.share > 0)) return store.execute(command);
      // Units in flight may be held by other processes, so they are not forgotten.
      if (command.verb === "reset" && keepsPlaces(command.budgets[0].plan)) {
        return asAnswer(timing, undefined) as never;
      }
      return store.execute(withBudgets(command, keptBudget));
    },
  };
}
