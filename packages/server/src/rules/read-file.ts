/** Reads one rule file: a domain and its descriptors. */
import type { Node } from "yaml";
import { FILE_SHAPE } from "./field-table.ts";
import { type RuleFields, readFields } from "./fields.ts";
import type { HttpItem } from "./http/items.ts";
import { readHttp } from "./http/read-http.ts";
import type { LevelBuilder } from "./level-builder.ts";
import { readDescriptors } from "./read-descriptors.ts";
import { domainName } from "./rule-name.ts";
import { isEmpty, readText } from "./scalars.ts";
import type { RuleSource } from "./source.ts";

/** The head of a file: its domain, and the place of the domain's name. */
export type FileHead = {
  readonly domain: string;
  readonly place: Node | null;
  readonly fields: RuleFields;
};

/** Reads the head of a file; undefined if the file is not a map, which is reported. */
export function readHead(source: RuleSource): FileHead | undefined {
  if (!source.readable) return undefined;
  if (source.root === null) return complainOfDomain(source, null);
  const fields = readFields(source, source.root, FILE_SHAPE);
  if (fields === undefined) return undefined;
  const domain = readText(source, fields, "domain") ?? "";
  const field = fields.get("domain");
  // Reported first, because only the first mistakes are described. Without a domain, the file may
  // not be a rule file at all.
  if (isEmpty(fields, "domain")) complainOfDomain(source, field?.name ?? null);
  return { domain, place: field?.value ?? null, fields };
}

/** The descriptors and items of a domain while its files are read. */
export type DomainParts = { readonly builder: LevelBuilder; readonly items: HttpItem[] };

/** Reads the descriptors of a file into the first level of its domain, and its `http` section. */
export function readBody(
  source: RuleSource,
  { domain, fields }: FileHead,
  { builder, items }: DomainParts,
): void {
  readHttp(source, fields, items);
  const position = {
    domain,
    path: [],
    name: domainName(domain),
    opens: 0,
    valuesInMetric: [],
    above: undefined,
  };
  readDescriptors(source, fields, { position, builder });
}

function complainOfDomain(source: RuleSource, place: Node | null): undefined {
  const expected = "one, such as domain: shop";
  source.complain(place, { code: "empty-domain", found: "no domain", expected });
}
