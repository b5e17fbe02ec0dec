import { Hosts } from "../hosts/hosts.ts";
import { Waits } from "../hosts/waits.ts";
import type { LimitedFetchOptions } from "../options.ts";
import { RetryBudget } from "../retry/retry-budget.ts";
import { checkedClientOptions } from "../settings.ts";
import type { Shared } from "./one-attempt.ts";

/** What all requests of one client share. @throws SpillwayError `bad-option`, `unknown-field` */
export function shared(options: LimitedFetchOptions): Shared {
  const settings = checkedClientOptions(options);
  return {
    settings,
    hosts: new Hosts(settings, settings.maxHosts),
    waits: new Waits(settings),
    budget: new RetryBudget(settings.budget, settings.scheduler.elapsed()),
  };
}
