import type { DescriptorEntry } from "./match.ts";
import { domainName, partName } from "./rule-name.ts";
import type { Rule } from "./rules.ts";

/**
 * Returns a rule's name with the request's values in it, if the rule asks for them. Pure.
 *
 * With `value_to_metric`, an example is `shop/user=ann`. Values that share one budget are shown as
 * their pattern.
 *
 * @param shown Formats a value.
 */
export function descriptorName(
  { domain, path, metric }: Pick<Rule, "domain" | "path" | "metric">,
  entries: readonly DescriptorEntry[],
  shown: (value: string) => string,
): string {
  const parts = path.map((part, level) => {
    const value = entries[level]?.value;
    const isNamed = metric.detailed || metric.levels[level] === true;
    return isNamed && !part.shares && value !== undefined
      ? partName({ ...part, value: shown(value) })
      : partName(part);
  });
  return [domainName(domain), ...parts].join("/");
}
