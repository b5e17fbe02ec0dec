/** A limit that a request brings along, as the rule that a file could have had for it. */
import { joined, type Match, type Rule, unitLasting } from "../../rules/index.ts";
import type { Descriptor, GivenLimit } from "../contracts.ts";

/**
 * It has a budget for each list of entries and each period, whatever rules the domain has. Its name,
 * such as `shop=day`, is no rule's: those have a `/` after the domain.
 */
export function givenRule(domain: string, { entries }: Descriptor, limit: GivenLimit): Match {
  const open = entries.flatMap(({ key, value }) => [key, value]);
  return { rule: ruleFor(domain, limit), key: joined(open, open.length), open };
}

const NO_METRIC = { detailed: false, levels: [] } as const;
const NOWHERE = { file: "", line: 0 } as const;

function ruleFor(domain: string, { rate, period }: GivenLimit): Rule {
  return {
    name: `${encodeURIComponent(domain)}=${unitLasting(period) ?? period}`,
    domain,
    path: [],
    label: undefined,
    replaces: [],
    limit: { kind: "fixed window", rate, period, capacity: rate, start: 0 },
    jitter: undefined,
    shadow: false,
    quota: false,
    metadata: undefined,
    metric: NO_METRIC,
    parents: [],
    place: NOWHERE,
  };
}
