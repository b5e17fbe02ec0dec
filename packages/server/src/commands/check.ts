import { counted, listing } from "../process/console/index.ts";
import { readRuleFiles } from "../process/files/index.ts";
import { parseOptionsOf, type RuleOptions } from "../process/options/index.ts";
import { describeProblem, listRules, parseRules } from "../rules/index.ts";

/**
 * `spillway check`: prints how rule files are understood.
 *
 * @throws RulesError with every mistake in them; CommandError if they can't be read.
 */
export async function check(paths: readonly string[], options: RuleOptions): Promise<void> {
  const files = await readRuleFiles(paths);
  const rules = parseRules(files, parseOptionsOf(options));
  for (const warning of rules.warnings) console.error(`warning: ${describeProblem(warning)}`);
  const all = listRules(rules);
  const items = [...rules.http.values()].flat().length;
  const classes = items === 0 ? "" : `, ${counted(items, "http item")}`;
  const count = rules.warnings.length;
  const found = count === 0 ? "all is well" : counted(count, "warning");
  console.log(
    `${counted(files.length, "file")}, ${counted(all.length, "limit")}${classes}: ${found}`,
  );
  for (const line of listing(all)) console.log(line);
}
