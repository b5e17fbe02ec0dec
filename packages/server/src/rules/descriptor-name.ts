import type { Entry } from "./match.ts";
import { domainName, partName } from "./rule-name.ts";
import type { Rule } from "./rules.ts";

/**
 * The name of a rule with the values of a request in it, where the rule asks for them: `shop/user=ann`
 * under `value_to_metric`. Values that share one budget are shown as their pattern. Pure.
 *
 * @param shown How a value is shown.
 */
export function descriptorName(
  { domain, path, metric }: Pick<Rule, "domain" | "path" | "metric">,
  entries: readonly Entry[],
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
