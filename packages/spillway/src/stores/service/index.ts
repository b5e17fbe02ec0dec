/** The store over a service: `spillway serve` keeps the states, in its own store. */
import type { Store } from "../../limits/core/index.ts";
import { resilient } from "../index.ts";
import { memoryStore } from "../memory/index.ts";
import { ownFetch, type SendRequest } from "./host.ts";
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
 * Creates a store that keeps its states in a `spillway serve`. Uses `fetch`: in Node, Bun, Deno and
 * workers.
 *
 * Limits are defined here, as with any other store. The service needs no rule for them, and keeps
 * their budgets apart from those of its rules. All calls in one turn of the event loop share a
 * request. A request is sent once: if its answer is lost, it charges once or not at all. If the
 * service fails or is late, each limit's `whenUnavailable` decides, and the answer has `degraded`.
 *
 * Not for programs that can reach the service's Redis or Postgres themselves, which takes one hop
 * less. Not for web pages: any holder of the token can use any key.
 *
 * @param url The URL of the service, such as `http://127.0.0.1:8080`, with a path if a gateway adds
 * one.
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
    fetch: fetch as SendRequest,
  });
  return resilient(executor, { ...resilience, local: memoryStore });
}
