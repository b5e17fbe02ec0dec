/** Reads `match`: which requests an item is for. */
import { display } from "spillway/support";
import type { Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import { readText } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { MATCH_SHAPE } from "./field-table.ts";
import type { HttpMatch, PathTemplate } from "./items.ts";
import { MOST_SEGMENTS } from "./normal-path.ts";
import { templateOf } from "./path-template.ts";
import { readTexts } from "./read-texts.ts";

const ANY: HttpMatch = Object.freeze({
  methods: undefined,
  path: undefined,
  prefix: undefined,
  hosts: undefined,
});

/** Reads the conditions of an item. Default: none. */
export function readMatch(source: RuleSource, item: RuleFields): HttpMatch {
  const node = fieldValue(item, "match");
  const fields = node && readFields(source, node, MATCH_SHAPE);
  if (fields === undefined) return ANY;
  return Object.freeze({
    methods: readTexts(source, fields, METHODS),
    path: readTemplate(source, fields, "path"),
    prefix: readTemplate(source, fields, "prefix"),
    hosts: readTexts(source, fields, HOSTS)?.map((host) => host.toLowerCase()),
  });
}

const METHODS = {
  name: "methods",
  code: "bad-match",
  pattern: /^[!#$%&'*+.^`|~\dA-Z_-]+$/,
  expected: "methods in upper case, such as [GET, HEAD]; those of requests are read in upper case",
} as const;

const HOSTS = {
  name: "hosts",
  code: "bad-match",
  pattern: /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$|^\[[\da-f:.]+\]$/i,
  expected: "names of hosts without a port, such as [shop.example, *.shop.example]",
} as const;

const SHORTER = "For all paths below one, write its first segments as prefix";

function readTemplate(
  source: RuleSource,
  fields: RuleFields,
  name: "path" | "prefix",
): PathTemplate | undefined {
  const text = readText(source, fields, name);
  if (text === undefined) return undefined;
  const template = templateOf(text);
  const node = fieldValue(fields, name) as Node;
  if (template !== undefined && template.segments.length <= MOST_SEGMENTS) return template;
  if (template !== undefined) {
    const found = `${template.segments.length} segments`;
    const expected = `at most ${MOST_SEGMENTS}: a request with a longer path is a bad one`;
    source.complain(node, { code: "bad-path", found, expected, hint: SHORTER });
    return undefined;
  }
  const hint = text.includes("*") ? "For all paths below one, write prefix: /api" : undefined;
  const expected = `a path such as /users/{id} as ${name}: {id} stands for one whole segment`;
  source.complain(node, { code: "bad-path", found: display(text), expected, hint });
  return undefined;
}
