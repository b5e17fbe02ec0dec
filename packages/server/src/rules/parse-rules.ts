import { display, printable } from "spillway/support";
import type { HttpItem } from "./http/items.ts";
import { LevelBuilder } from "./level-builder.ts";
import { MOST_PROBLEMS, type RuleProblem, RulesError } from "./problem.ts";
import { type DomainParts, type FileHead, readBody, readHead } from "./read-file.ts";
import type { Level, Rules } from "./rules.ts";
import { type RuleFile, RuleSource } from "./source.ts";
import { unknownReplaces } from "./unknown-replaces.ts";

export type ParseOptions = {
  /** Allows several files to share a domain; their descriptors are merged. Default: no. */
  readonly mergeDomains?: boolean;
};

/**
 * A domain while files are read: the file that named it first, and what all files have of it.
 */
type DomainDraft = DomainParts & { readonly owner: string };

/**
 * Parses rule files: YAML texts with one domain each. Pure.
 *
 * @throws RulesError with the first 100 mistakes in all files, and the number of further ones.
 */
export function parseRules(
  files: readonly RuleFile[],
  { mergeDomains = false }: ParseOptions = {},
): Rules {
  const drafts = new Map<string, DomainDraft>();
  const sources = files.map((file) => readInto(drafts, file, mergeDomains));
  throwIfWrong(sources);
  const domains = new Map<string, Level>();
  const http = new Map<string, readonly HttpItem[]>();
  for (const [domain, { builder, items }] of drafts) {
    domains.set(domain, builder.level);
    if (items.length > 0) http.set(domain, Object.freeze(items));
  }
  const noted = sources.flatMap(({ warnings }) => warnings);
  const warnings = [...noted, ...unknownReplaces(domains)].slice(0, MOST_PROBLEMS);
  return Object.freeze({ domains, http, warnings: Object.freeze(warnings) });
}

function readInto(
  drafts: Map<string, DomainDraft>,
  file: RuleFile,
  mergeDomains: boolean,
): RuleSource {
  const source = new RuleSource(file);
  const head = readHead(source);
  if (head === undefined) return source;
  const known = drafts.get(head.domain);
  const isTaken = known !== undefined && !mergeDomains;
  if (isTaken) complainOfSecond(source, head, known.owner);
  // A second file of the same domain is still read, so that all mistakes are reported at once.
  const isNew = isTaken || known === undefined;
  const parts = isNew ? { builder: new LevelBuilder(), items: [] } : known;
  readBody(source, head, parts);
  if (known === undefined && head.domain !== "") {
    drafts.set(head.domain, { owner: file.name, ...parts });
  }
  return source;
}

function throwIfWrong(sources: readonly RuleSource[]): void {
  const problems: RuleProblem[] = [];
  let count = 0;
  for (const source of sources) {
    problems.push(...source.problems.slice(0, MOST_PROBLEMS - problems.length));
    count += source.count;
  }
  if (count > 0) throw new RulesError(problems, count - problems.length);
}

function complainOfSecond(source: RuleSource, { domain, place }: FileHead, owner: string): void {
  const found = `a second file for the domain ${display(domain)}`;
  const expected = `only the one in ${printable(owner)}`;
  const hint = "To merge the descriptors of several files, set --merge-domains";
  source.complain(place, { code: "duplicate-domain", found, expected, hint });
}
