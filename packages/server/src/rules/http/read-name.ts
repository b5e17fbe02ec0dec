/** Reads the names of parts of a request. A name that no request can have is a mistake. */
import { display } from "spillway/support";
import { fieldValue, type RuleFields } from "../fields.ts";
import type { RuleSource } from "../source.ts";
import { type RequiredField, readRequired } from "./read-required.ts";

/** Which names exist. */
type NameForm = { readonly pattern?: RegExp; readonly expected?: string };

/** A header's name: a token by RFC 9110. */
export const HEADER_NAME = {
  pattern: /^[!#$%&'*+.^`|~\w-]+$/,
  expected: "the name of a header, such as x-api-key: letters, digits and any of !#$%&'*+-.^_`|~",
} as const satisfies NameForm;

/** A cookie's name, as far as servers agree. */
export const COOKIE_NAME = {
  pattern: /^(?![ \t])[^\p{Cc};=]+(?<![ \t])$/u,
  expected: "the name of a cookie, without ; and =, and without spaces around it",
} as const satisfies NameForm;

/** Reads a name; undefined if it is missing or one that no request has, which is reported. */
export function readName(
  source: RuleSource,
  fields: RuleFields,
  { pattern, expected = "a name", ...required }: RequiredField & NameForm,
): string | undefined {
  const name = readRequired(source, fields, required);
  if (name === undefined || pattern === undefined || pattern.test(name)) return name;
  const node = fieldValue(fields, required.name) ?? required.place;
  source.complain(node, { code: "bad-action", found: display(name), expected });
  return undefined;
}
