import { after } from "../internal/index.ts";
import type {
  Answer,
  Ask,
  Budget,
  Command,
  Decision,
  Draw,
  LeaseRef,
  Plan,
  Settlement,
  Store,
  Timing,
} from "../limits/core/index.ts";

/**
 * Wraps a store: one method for each command. `limit` and `check` return one decision instead of a
 * list.
 */
export function asking<M extends Timing>(store: Store<M>) {
  const execute = <C extends Command>(command: C) => store.execute(command);
  const one = (verb: "limit" | "check", ask: Ask): Answer<M, Decision> =>
    after(
      store.timing,
      execute({ verb, budgets: [ask] }),
      (all) => (all as Decision[])[0] as Decision,
    );
  return {
    limit: (ask: Ask) => one("limit", ask),
    check: (ask: Ask) => one("check", ask),
    limitAll: (budgets: readonly Ask[]) => execute({ verb: "limit", budgets }),
    checkAll: (budgets: readonly Ask[]) => execute({ verb: "check", budgets }),
    draw: (ask: Ask, draw: Draw) => execute({ verb: "draw", budgets: [ask], draw }),
    settle: (budget: Budget, settlement: Settlement) =>
      execute({ verb: "settle", budgets: [budget], settlement }),
    release: (budget: Budget, lease: LeaseRef) =>
      execute({ verb: "release", budgets: [budget], lease }),
    renew: (budget: Budget, lease: LeaseRef) =>
      execute({ verb: "renew", budgets: [budget], lease }),
    value: (budget: Budget) => execute({ verb: "value", budgets: [budget] }),
    peek: (budgets: readonly Budget[]) => execute({ verb: "peek", budgets }),
    reset: (budget: Budget) => execute({ verb: "reset", budgets: [budget] }),
    block: (budget: Budget, ms: number) => execute({ verb: "block", budgets: [budget], ms }),
    override: (budget: Budget, own: { readonly plan: Plan; readonly ms: number }) =>
      execute({ verb: "override", budgets: [budget], ...own }),
    unblock: (budget: Budget) => execute({ verb: "unblock", budgets: [budget] }),
  };
}
