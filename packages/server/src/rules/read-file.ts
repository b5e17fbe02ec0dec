/** One rule file: a domain and its descriptors. */
import type { Node } from "yaml";
import { readFields, type Shape } from "./fields.ts";
import { readDescriptors } from "./read-descriptors.ts";
import { domainName } from "./rule-name.ts";
import type { Branches } from "./rules.ts";
import { isEmpty, readText } from "./scalars.ts";
import type { Source } from "./source.ts";

const SHAPE: Shape = { what: "a rule file", known: ["domain", "descriptors"], later: [] };

/** What a file says, and where it names its domain. */
export type DomainRules = {
  readonly domain: string;
  readonly place: Node | null;
  readonly branches: Branches;
};

/** Reads a file; undefined where, after a complaint, it has no domain. */
export function readFile(source: Source): DomainRules | undefined {
  if (!source.readable) return undefined;
  if (source.root === null) return complainOfDomain(source, null);
  const fields = readFields(source, source.root, SHAPE);
  if (fields === undefined) return undefined;
  const domain = readText(source, fields, "domain") ?? "";
  const field = fields.get("domain");
  // Before the rest, which may be all wrong: only the first mistakes are described.
  if (isEmpty(fields, "domain")) complainOfDomain(source, field?.name ?? null);
  const branches = readDescriptors(source, fields, { domain, path: [], name: domainName(domain) });
  return domain === "" ? undefined : { domain, place: field?.value ?? null, branches };
}

function complainOfDomain(source: Source, place: Node | null): undefined {
  const expected = "one, such as domain: shop";
  source.complain(place, { code: "empty-domain", found: "no domain", expected });
}
