/** The store that is a service: `spillway serve` keeps the states, wherever it keeps them. */
import type { Store } from "../../limits/core/index.ts";
import { resilient } from "../index.ts";
import { memoryStore } from "../memory/index.ts";
import { ownFetch, type Send } from "./host.ts";
import {
  checkedServiceOptions,
  type ServiceStoreOptions,
  type ServiceUrl,
  urlAt,
} from "./options.ts";
import { COMMANDS_PATH } from "./protocol.ts";
import { ServiceExecutor } from "./service-executor.ts";

export type { BreakerSettings, OnEvent, StoreEvent } from "../index.ts";
export type { ServiceStoreOptions } from "./options.ts";
export {
  COMMANDS_PATH,
  REMOTE_VERBS,
  type RemoteBudget,
  type RemoteCommand,
  type RemoteDecision,
  type RemoteLimit,
  type RemoteOutcome,
  type RemoteRequest,
  type RemoteResponse,
  type RemoteValue,
} from "./protocol.ts";

/**
 * Makes a store that keeps its states in a `spillway serve`, by `fetch`: in Node, Bun, Deno and workers.
 *
 * Limits are defined here, as over any other store; the service needs no rule for them, and keeps their
 * budgets apart from those of its rules. All that is asked in one turn of the event loop shares a request.
 * A request is sent once: one whose answer is lost charges once or not at all. Where the service fails
 * or is late, each limit's `whenUnavailable` answers, and the answer says `degraded`.
 *
 * Not for programs that can reach the service's Redis or Postgres themselves: that is one hop less. Not
 * for web pages: the token lets whoever has it name any key.
 *
 * @param url Of the service, such as `http://127.0.0.1:8080`; with a path where a gateway has given it one.
 * @throws SpillwayError `bad-option`, `unknown-field`.
 * @example
 * const store = serviceStore("http://limits.internal:8080", { token: process.env.STORE_TOKEN });
 * const limiter = new RateLimiter(limits, { store });
 */
export function serviceStore(url: ServiceUrl, options: ServiceStoreOptions = {}): Store<"later"> {
  const { token, prefix, fetch = ownFetch(), ...resilience } = checkedServiceOptions(options);
  const executor = new ServiceExecutor({
    url: urlAt(url, COMMANDS_PATH),
    prefix,
    token,
    fetch: fetch as Send,
  });
  return resilient(executor, { ...resilience, local: memoryStore });
}
