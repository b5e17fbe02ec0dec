import { after } from "../../internal/index.ts";
import type { Answer, Ask, Decision, Store, Timing } from "../../limits/core/index.ts";

/** Takes from one budget: by the store's own `limit`, or by a command if it has none. */
export function limitOn<M extends Timing>(store: Store<M>, ask: Ask): Answer<M, Decision> {
  if (store.limit !== undefined) return store.limit(ask);
  const answer = store.execute({ verb: "limit", budgets: [ask] });
  return after(store.timing, answer, ([one]) => one as Decision);
}
