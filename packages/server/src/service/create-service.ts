import { memoryStore } from "spillway";
import { systemClock } from "spillway/core";
import { chain, HeldTimes } from "spillway/support";
import { budgetVerbs } from "./budgets/budget-verbs.ts";
import { decidingVerbs } from "./deciding/deciding-verbs.ts";
import { leaseVerbs } from "./leases/lease-verbs.ts";
import { systemRandom } from "./random.ts";
import { executeOn } from "./remote/execute.ts";
import { RulePlans } from "./rulebook/plans.ts";
import { RulesInUse } from "./rulebook/rules-in-use.ts";
import type { Service, ServiceOptions } from "./service.ts";
import { StoreProbe } from "./store-probe.ts";

/** Creates a service from rules. Create one for each process: each has a state of its own. */
export function createService(options: ServiceOptions): Service {
  const { rules, clock = systemClock, store = memoryStore({ clock }) } = options;
  const {
    whenUnavailable = "closed",
    settings = {},
    random = systemRandom,
    onDecided,
    onRules,
  } = options;
  const plans = new RulePlans(whenUnavailable);
  const inUse = new RulesInUse({ rules, plans, settings, store, onRules });
  const heldTimes = new HeldTimes();
  const parts = { store, inUse, settings, clock, random, heldTimes };
  const probe = new StoreProbe({ store, rulebook: () => inUse.rulebook });
  return {
    get rules() {
      return inUse.rulebook.rules;
    },
    settings,
    get switches() {
      return inUse.rulebook.modes.switches;
    },
    ...decidingVerbs({ ...parts, onDecided }),
    ...leaseVerbs(parts),
    ...budgetVerbs(parts),
    execute: executeOn(store),
    replaceRules: (rules) => chain(inUse.prepare(rules), (use) => use()),
    prepareRules: (rules) => inUse.prepare(rules),
    setModes: (switches) => inUse.setModes(switches),
    isDegraded: () => probe.fails(),
  };
}
