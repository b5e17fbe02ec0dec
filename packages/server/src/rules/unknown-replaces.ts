import { display } from "spillway/support";
import type { RuleProblem } from "./problem.ts";
import { type Level, listRules } from "./rules.ts";

/** Warns of names in `replaces` that no other limit of the domain has. Pure. */
export function unknownReplaces(domains: ReadonlyMap<string, Level>): readonly RuleProblem[] {
  const warnings: RuleProblem[] = [];
  for (const [domain, level] of domains) {
    const rules = listRules({ domains: new Map([[domain, level]]) });
    const labels = new Set(rules.map(({ label }) => label));
    for (const { replaces, place } of rules) {
      for (const name of replaces.filter((one) => !labels.has(one))) {
        warnings.push({
          ...place,
          column: 1,
          code: "unknown-replaces",
          found: `${display(name)} in replaces`,
          expected: "the name of a limit of this domain",
          hint: undefined,
        });
      }
    }
  }
  return warnings;
}
