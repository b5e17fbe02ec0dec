import type { Mode, Store } from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { checkExecutor } from "./checked-executor.ts";
import { checkedSettings, type ResilienceOptions } from "./options.ts";
import { ResilientLater } from "./resilient-later.ts";
import { ResilientNow } from "./resilient-now.ts";

/**
 * Makes a store of what carries out commands where states are kept, which may be slow, wrong or gone.
 *
 * Where it answers later, what is asked in one turn of the event loop shares a request, and no answer is
 * waited for longer than the deadline. After failures in a row a breaker stops asking. What the store
 * does not answer each limit's `whenUnavailable` decides, and the answer says `degraded`.
 *
 * Not for what keeps its states in this process, which does not fail.
 *
 * @throws SpillwayError `bad-store` where the executor has no such method; `bad-option`, `unknown-field`
 */
export function resilient<M extends Mode>(
  executor: Executor<M>,
  options?: ResilienceOptions,
): Store<M>;
export function resilient(
  executor: Executor<"now"> | Executor<"later">,
  options: ResilienceOptions = {},
): Store<"now"> | Store<"later"> {
  checkExecutor(executor);
  const settings = checkedSettings(options, executor.place ?? executor.name);
  return executor.mode === "now"
    ? new ResilientNow(executor, settings)
    : new ResilientLater(executor, settings);
}
