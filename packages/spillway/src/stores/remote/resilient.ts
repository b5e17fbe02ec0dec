import type { Store, Timing } from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { checkExecutor } from "./checked-executor.ts";
import { checkedSettings, type ResilienceOptions } from "./options.ts";
import { ResilientLater } from "./resilient-later.ts";
import { ResilientNow } from "./resilient-now.ts";

/**
 * Creates a store from an executor that may be slow, wrong or unavailable.
 *
 * If the executor answers later, calls of one turn of the event loop share a request, and no answer
 * is awaited longer than the deadline. After consecutive failures a breaker stops the requests.
 * Calls that the store does not answer are decided by each limit's `whenUnavailable`, and their
 * answers have `degraded`.
 *
 * Not for executors that keep states in this process, which do not fail.
 *
 * @throws SpillwayError `bad-store` if it is not an executor; `bad-option`, `bad-clock`,
 * `unknown-field`
 */
export function resilient<M extends Timing>(
  executor: Executor<M>,
  options?: ResilienceOptions,
): Store<M>;
export function resilient(
  executor: Executor<"now"> | Executor<"later">,
  options: ResilienceOptions = {},
): Store<"now"> | Store<"later"> {
  checkExecutor(executor);
  const settings = checkedSettings(options, executor.place ?? executor.name);
  return executor.timing === "now"
    ? new ResilientNow(executor, settings)
    : new ResilientLater(executor, settings);
}
