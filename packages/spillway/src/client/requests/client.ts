import { ClientWaits } from "../hosts/client-waits.ts";
import { Hosts } from "../hosts/hosts.ts";
import type { LimitedFetchOptions } from "../options.ts";
import { RetryBudget } from "../retry/retry-budget.ts";
import { checkedClientOptions } from "../settings.ts";
import type { ClientContext } from "./one-attempt.ts";

/**
 * Creates everything that the requests of one client share. @throws SpillwayError `bad-option`,
 * `bad-clock`, `unknown-field`
 */
export function shared(options: LimitedFetchOptions): ClientContext {
  const settings = checkedClientOptions(options);
  return {
    settings,
    hosts: new Hosts(settings, settings.maxHosts),
    waits: new ClientWaits(settings),
    budget: new RetryBudget(settings.budget, settings.scheduler.elapsed()),
  };
}
