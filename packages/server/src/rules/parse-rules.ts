import { display, printable } from "spillway/core";
import { MOST_PROBLEMS, type RuleProblem, RulesError } from "./problem.ts";
import { type DomainRules, readFile } from "./read-file.ts";
import type { Branches, Rules } from "./rules.ts";
import { type RuleFile, Source } from "./source.ts";

/**
 * Makes rules of rule files: YAML texts, each with one domain. Pure.
 *
 * @throws RulesError with mistakes in any of the files: the first 100, and how many more.
 */
export function parseRules(files: readonly RuleFile[]): Rules {
  const domains = new Map<string, Branches>();
  const owners = new Map<string, string>();
  const problems: RuleProblem[] = [];
  let count = 0;
  for (const file of files) {
    const source = new Source(file);
    const read = readFile(source);
    if (read !== undefined && isOwner(source, read, owners)) {
      owners.set(read.domain, file.name);
      domains.set(read.domain, read.branches);
    }
    problems.push(...source.problems.slice(0, MOST_PROBLEMS - problems.length));
    count += source.count;
  }
  if (count > 0) throw new RulesError(problems, count - problems.length);
  return Object.freeze({ domains });
}

/** Whether no file before has the domain; complains if one has. */
function isOwner(
  source: Source,
  { domain, place }: DomainRules,
  owners: ReadonlyMap<string, string>,
): boolean {
  const owner = owners.get(domain);
  if (owner === undefined) return true;
  const found = `a second file for the domain ${display(domain)}`;
  const expected = `only the one in ${printable(owner)}`;
  source.complain(place, { code: "duplicate-domain", found, expected });
  return false;
}
