/** Builds a rule for a limit that is given with a request. */
import { joined, type Match, type Rule, unitLasting } from "../../rules/index.ts";
import type { Descriptor, GivenLimit } from "../contracts.ts";

/**
 * Returns the rule and the budget's key: there is one budget for each list of entries and each
 * period, regardless of the domain's rules.
 *
 * The rule's name, such as `shop=day`, is never that of a rule in a file: those have a `/` after
 * the domain.
 */
export function givenRule(domain: string, { entries }: Descriptor, limit: GivenLimit): Match {
  const open = entries.flatMap(({ key, value }) => [key, value]);
  return { rule: ruleFor(domain, limit), key: joined(open, open.length), open };
}

const NO_METRIC = { detailed: false, levels: [] } as const;
const NOWHERE = { file: "", line: 0, column: 0 } as const;

function ruleFor(domain: string, { rate, period }: GivenLimit): Rule {
  return {
    name: `${encodeURIComponent(domain)}=${unitLasting(period) ?? period}`,
    domain,
    path: [],
    label: undefined,
    replaces: [],
    limit: { kind: "fixed window", rate, period, capacity: rate, start: 0 },
    jitter: undefined,
    switchedOff: undefined,
    shadow: false,
    quota: false,
    metadata: undefined,
    metric: NO_METRIC,
    parents: [],
    place: NOWHERE,
  };
}
